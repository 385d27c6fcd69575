"""Measures the path between two network namespaces: an echo server at one end, a prober at the other.

    probe.py serve ADDRESS
        Answers probes until stdin closes. Prints {"ready": true, "udpPort": N, "tcpPort": N}.
    probe.py measure ADDRESS UDPPORT TCPPORT --mtu BYTES --longest BYTES [--down KBPS] [--up KBPS]
        Measures round trips, and the rate of each limited direction, on a path with that MTU and packets of at most
        LONGEST bytes.
    probe.py treatment ADDRESS UDPPORT TCPPORT --mtu BYTES --longest BYTES --burst BYTES [--kbps KBPS] [--tcp BYTES]
        Measures the treatment of UDP on a path that blocks or throttles it, and the rate of TCP.
    probe.py connection ADDRESS TCPPORT
        Opens a TCP connection through the path and reads the properties of both of its ends.
    probe.py namespace DEVICE
        Reads the settings of its namespace.

Each prints one line of JSON; a failure prints {"error": "..."} and ends with status 1. Standard library only.
"""

import argparse
import gc
import json
import os
import sys

import ends
import rate
import round_trips
import treatment as treating
from control import Control, ProbeError
from server import Server
from urgency import raise_priority


def serve(arguments):
    server = Server(arguments.address)
    server.start()
    print(json.dumps({"ready": True, **server.ports()}), flush=True)
    # The parent holds stdin: when it closes, no answer is needed.
    while sys.stdin.buffer.read(4096):
        pass
    os._exit(0)


def measure(arguments):
    raise_priority()
    address = arguments.address
    limits = [kbps for kbps in (arguments.down, arguments.up) if kbps]
    result = {
        **round_trips.over_udp(address, arguments.udp_port, limits),
        **round_trips.over_tcp(address, arguments.tcp_port, limits),
        "down": None,
        "up": None,
    }
    with Control(address, arguments.tcp_port) as control:
        if arguments.down:
            flow = rate.flow_for(arguments.down, arguments.mtu, arguments.longest)
            result["down"] = rate.measure_down(control, flow)
        if arguments.up:
            flow = rate.flow_for(arguments.up, arguments.mtu, arguments.longest)
            result["up"] = rate.measure_up(control, arguments.udp_port, flow)
    return result


def treatment(arguments):
    raise_priority()
    sizes = (arguments.mtu, arguments.longest)
    with Control(arguments.address, arguments.tcp_port) as control:
        return {
            **treating.over_udp(control, arguments.udp_port, arguments.kbps, sizes, arguments.burst),
            "tcpKbps": treating.over_tcp(control, arguments.tcp) if arguments.tcp else None,
        }


def connection(arguments):
    with Control(arguments.address, arguments.tcp_port) as control:
        # Before anything is sent, so that the initial window is read.
        client = ends.connection_facts(control.connection)
        return {"client": client, "server": control.request("connection")}


def namespace(arguments):
    return ends.namespace_facts(arguments.device)


def main():
    parser = argparse.ArgumentParser()
    modes = parser.add_subparsers(required=True)

    def mode(run, **parameters):
        added = modes.add_parser(run.__name__)
        added.set_defaults(run=run)
        for name, kind in parameters.items():
            added.add_argument(name, type=kind)
        return added

    mode(serve, address=str)
    measuring, treated = (
        mode(run, address=str, udp_port=int, tcp_port=int) for run in (measure, treatment)
    )
    for each in (measuring, treated):
        each.add_argument("--mtu", type=int, required=True)
        each.add_argument("--longest", type=int, required=True)
    measuring.add_argument("--down", type=float)
    measuring.add_argument("--up", type=float)
    treated.add_argument("--burst", type=int, required=True)
    treated.add_argument("--kbps", type=float)
    treated.add_argument("--tcp", type=int)
    mode(connection, address=str, tcp_port=int)
    mode(namespace, device=str)
    arguments = parser.parse_args()

    # A pause of the garbage collector would look like a slow path.
    gc.disable()
    try:
        print(json.dumps(arguments.run(arguments)), flush=True)
    except (ProbeError, OSError) as error:
        print(json.dumps({"error": str(error)}), flush=True)
        sys.exit(1)


main()
