#!/bin/sh
# Gates a recorded preview and says what happened. Succeeds when the gate blocks the change, as it must.
# usage: demo.sh CROSSGATE PREVIEW
set -u
crossgate=$1 preview=$2

echo "\$ crossgate check $preview"
report=$("$crossgate" check "$preview")
status=$?
printf '%s\n$ echo $?\n%s\n\n' "$report" "$status"
case $status:$report in
1:*blocked*) ;;
*)
    echo "demo: expected a report of what is blocked and exit status 1; got the above and $status" >&2
    exit 1
    ;;
esac
echo "The preview was recorded from the Pulumi engine: a program that opens a bucket to the world. The gate read the file,"
echo "judged it by the baseline pack without engine, cloud or network, and ended with 1: a pipeline stops here."
