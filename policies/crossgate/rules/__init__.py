"""The rules, one file each, in folders by concern; private helpers beside them."""
