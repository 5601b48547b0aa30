"""Time what the server of a pack does for each resource that the engine shows it, from message to message.

``python -m tools.bench_pack FOLDER ROUNDS COUNT`` runs the pack in FOLDER, its own server or the SDK's, and takes over
before it listens. For each line of input it answers the messages about COUNT more resources, and prints the
processor's seconds per resource. The transport, which all servers have in common, is left out: it takes longer than
the work, and no two runs agree on it.
"""

import runpy
import sys
import time
from typing import Any

from pulumi.runtime.proto import analyzer_pb2, analyzer_pb2_grpc

from tools import workload


def requests(count: int) -> list[bytes]:
    """Return the messages about ``count`` resources as they arrive."""
    messages = []
    for made in workload.resources(count):
        kind = workload.TYPES[made.kind]
        request = analyzer_pb2.AnalyzeRequest(type=kind, name=made.name, urn=f"{workload.URN}{kind}::{made.name}")
        request.properties.update(workload.recorded(made, "preview"))
        messages.append(request.SerializeToString())
    return messages


def main() -> None:
    """Run the command line."""
    folder, rounds, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    arriving = iter(requests(rounds * count))

    def answer(servicer: Any, server: Any) -> None:
        del server
        for _ in sys.stdin:
            messages = [next(arriving) for _ in range(count)]
            start = time.process_time()
            for message in messages:
                servicer.Analyze(analyzer_pb2.AnalyzeRequest.FromString(message), None).SerializeToString()
            print((time.process_time() - start) / count, flush=True)
        sys.exit()

    analyzer_pb2_grpc.add_AnalyzerServicer_to_server = answer
    runpy.run_path(folder, run_name="__main__")


if __name__ == "__main__":
    main()
