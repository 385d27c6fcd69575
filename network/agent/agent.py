"""The path agent: the one process that makes network namespaces and what is in them.

    python agent.py client server [middle]

It answers requests (one line of JSON each on stdin) in order on stdout, and ends when its stdin
does. Its children hold the namespaces and the link, and the kernel kills them when it ends.
Devices disappear with their namespace, so no cleanup is needed.

    {"ready":true,"pids":{"client":7,"server":8},"userNamespace":false,"realtime":"fifo"}
    {"id":1,"namespace":"client","run":["ip","link"]}  {"id":1,"status":0,"stdout":"...","stderr":""}
    {"id":2,"openLink":{"client":"path0","server":"path0",...}}          {"id":2,"status":0}
    {"id":3,"setLink":{"toServer":{...},"toClient":{...},"keepsConnections":false,...}}
    {"id":4,"countLink":true}       {"id":4,"status":0,"toServer":{...},"toClient":{...},...}
    {"id":5,"openTap":{"namespace":"client","device":"path0"}}           {"id":5,"status":0}
    {"id":6,"takePackets":{"mostBytes":null}}       {"id":6,"status":0,"packets":[{...}],"missed":0,"counts":{...}}
    {"id":7,"openCounter":{"namespace":"middle","toServer":"toserver","toClient":"toclient",...}}
    {"id":8,"beginLoad":{"keepsConnections":false,"captures":false}}     {"id":8,"status":0}
    {"id":9,"countPackets":true}    {"id":9,"status":0,"toServer":{...},"toClient":{...},"missed":0}
    {"id":10,"writeCapture":{"file":"/...","first":0}}         {"id":10,"status":0,"next":null,"missed":0}
    {"id":11,"sampleTcp":{"begin":{"everyMs":5,"end":"server",...}}}                {"id":11,"status":0}
    {"id":12,"sampleTcp":{"end":true}}                                   {"id":12,"status":0}
    {"id":14,"sampleLink":{"first":0}}    {"id":14,"status":0,"steps":[...],"next":null,...}
    {"id":13,"sampleTcp":{"write":{"file":"/...","first":0}}}  {"id":13,"status":0,"next":null,"missed":0}
    {"id":15,"names":{"serve":{"addresses":{"a.test":"198.18.1.1"},"httpsRecord":null}}}  {"id":15,"status":0}
    {"id":16,"names":{"queries":true}}  {"id":16,"status":0,"queries":[{"name":"a.test","type":1,"records":1}]}
    {"id":17,"paceTcp":{"namespace":"server","addresses":["198.18.1.1:443"]}}       {"id":17,"status":0}

If this machine lacks something, the answer is {"error":"...","remedy":"..."} and, at the start,
the exit status 3. If a part of the path has ended (the holder of a namespace, a helper process or
a device of the link), every answer is {"status":1,"stderr":"...","gone":true}.
"""

import base64
import json
import os
import subprocess
import sys

import acknowledgements
import carrier
import helper_process
import counter
import filters
import names
import namespaces
import pacing
import priority
import sampler
import tap

# Timeout of a command, shorter than ANSWER_LIMIT_MS of agent.ts.
_COMMAND_LIMIT_S = 8
_CANNOT = 3
# The namespace in which this process started.
_MACHINE = "machine"
# For 500 connections over TCP or 150 over QUIC with hellos of 8 kB: 16 MB, and 8 MB for the hellos' later segments.
_TAP_FRAMES = 2048
_CONTINUATION_FRAMES = 1024
_TAP_FRAME_BYTES = 8192


class Agent:
    def __init__(self, ends):
        self.user_namespace = not namespaces.may_make_network_namespaces()
        if self.user_namespace:
            namespaces.enter_user_namespace()
        namespaces.need_settings()
        self.pids = {name: namespaces.hold_network_namespace() for name in ends}
        self.files = {
            name: os.open(f"/proc/{pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
            for name, pid in self.pids.items()
        }
        self.link = None
        self.tap = None
        self.continuations = None
        self.acknowledgements = None
        self.counter = None
        self.samplers = {}
        self.name_server = None
        self.sampled_end = "server"

    def introduction(self):
        return {
            "ready": True,
            "pids": self.pids,
            "userNamespace": self.user_namespace,
            "realtime": priority.find_priority(),
        }

    def answer(self, request):
        for name, pid in self.pids.items():
            if namespaces.has_ended(pid):
                return _gone(f"the process that holds the {name} namespace has ended")
        if "run" in request:
            return self.run(request["namespace"], request["run"])
        if "openLink" in request:
            devices = request["openLink"]
            self.link = carrier.Carrier(
                (self.files["client"], devices["client"]),
                (self.files["server"], devices["server"]),
                program=devices["program"],
                longest_packet_bytes=devices["longestPacketBytes"],
                segmentation=devices["segmentation"],
                may_lock_memory=not self.user_namespace,
            )
            return {"status": 0, "realtime": self.link.realtime}
        if "openTap" in request:
            end = request["openTap"]
            file = self.files[end["namespace"]]
            self.tap, self.continuations = (
                tap.Tap(file, end["device"], wanted, frames, _TAP_FRAME_BYTES)
                for wanted, frames in (
                    (filters.HANDSHAKES, _TAP_FRAMES),
                    (filters.CONTINUATIONS, _CONTINUATION_FRAMES),
                )
            )
            self.acknowledgements = acknowledgements.Acknowledgements(file, end["device"])
            return {"status": 0}
        if "takePackets" in request:
            return self.take_packets(request["takePackets"]["mostBytes"])
        if "openCounter" in request:
            middle = request["openCounter"]
            file = self.files[middle["namespace"]]
            self.counter = counter.Counter(
                file, middle["toServer"], middle["toClient"], middle["longestPacketBytes"]
            )
            return {"status": 0}
        if "beginLoad" in request and self.counter:
            load = request["beginLoad"]
            self.counter.begin_load(load["keepsConnections"], load["captures"])
            return {"status": 0}
        if "countPackets" in request and self.counter:
            return {"status": 0, **self.counter.counts()}
        if "writeCapture" in request and self.counter:
            return self.counter.write_capture(**request["writeCapture"])
        if "sampleTcp" in request:
            # Started on demand: otherwise it would wake up during loads without it.
            return self.sample_tcp(request["sampleTcp"])
        if "names" in request:
            return self.request_names(request["names"])
        if "paceTcp" in request:
            servers = request["paceTcp"]
            pacing.pace(self.pids[servers["namespace"]], servers["addresses"])
            return {"status": 0}
        if self.link is None:
            return {"status": 1, "stderr": "no link was opened"}
        if "setLink" in request:
            return self.link.set(request["setLink"])
        if "countLink" in request:
            return self.link.count()
        if "sampleLink" in request:
            return self.link.samples(**request["sampleLink"])
        if "writeCapture" in request:
            return self.link.write_capture(**request["writeCapture"])
        return {"status": 1, "stderr": f"unknown request: {', '.join(request)}"}

    def sample_tcp(self, request):
        if "begin" in request:
            self.sampled_end = request["begin"]["end"]
        end = self.sampled_end
        if end not in self.samplers:
            # Servers that were running before the path are the machine's.
            is_beyond = end == "server" and "uplink" in self.files
            peer = request["begin"]["client"] if is_beyond else None
            self.samplers[end] = sampler.Sampler(self.files[end], at_client=end == "client", peer=peer)
        return self.samplers[end].request(request)

    def request_names(self, request):
        """If the name server has ended, the path remains usable: the next load gets another one."""
        if self.name_server is None:
            self.name_server = names.NameServer(self.files["client"])
        try:
            return self.name_server.request(request)
        except helper_process.HelperExited as error:
            self.name_server.end()
            self.name_server = None
            return {"status": 1, "stderr": str(error)}

    def take_packets(self, most_bytes):
        if self.tap is None:
            return {"status": 1, "stderr": "no tap was opened"}
        tapped = [*self.tap.take(), *self.continuations.take()]
        packets = [
            {
                "toServer": packet.outgoing,
                # As text, because it has more digits than JSON's numbers.
                "timeNs": str(packet.time_ns),
                "bytes": base64.b64encode(packet.data[:most_bytes]).decode(),
            }
            for packet in sorted(tapped, key=lambda packet: packet.time_ns)
        ]
        # Uploads overflow `continuations`, so its misses are not reported: a hello that lacks a segment is.
        return {
            "status": 0,
            "packets": packets,
            "missed": self.tap.missed(),
            "counts": self.acknowledgements.take(),
        }

    def run(self, namespace, command):
        agent = os.getpid()

        def enter():
            namespaces.die_with(agent)
            if namespace != _MACHINE:
                namespaces.enter_network_namespace(self.files[namespace])

        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_COMMAND_LIMIT_S,
                preexec_fn=enter,
                check=False,
            )
        except FileNotFoundError:
            return {"status": 127, "stdout": "", "stderr": f"{command[0]}: no such program"}
        except subprocess.TimeoutExpired:
            return {"status": 124, "stdout": "", "stderr": f"not done in {_COMMAND_LIMIT_S} s"}
        return {"status": done.returncode, "stdout": done.stdout, "stderr": done.stderr}


def _gone(what):
    return {"status": 1, "stderr": what, "gone": True}


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main(ends):
    # Debian keeps `tc` and `sysctl` outside of an ordinary user's PATH.
    os.environ["PATH"] = os.environ.get("PATH", "/usr/bin:/bin") + ":/usr/local/sbin:/usr/sbin:/sbin"
    try:
        agent = Agent(ends)
    except namespaces.NotAllowed as error:
        send({"error": str(error), "remedy": error.remedy})
        return _CANNOT
    # Ends this process also when it is stopped and cannot read the end of stdin.
    namespaces.die_with(os.getppid())
    send(agent.introduction())
    # Not `for line in stdin`, which would wait for more than one line.
    for line in iter(sys.stdin.readline, ""):
        request = json.loads(line)
        try:
            answer = agent.answer(request)
        except namespaces.NotAllowed as error:
            answer = {"status": _CANNOT, "error": str(error), "remedy": error.remedy}
        except helper_process.HelperExited as error:
            answer = _gone(str(error))
        except (OSError, KeyError, ValueError) as error:
            answer = {"status": 1, "stderr": f"{type(error).__name__}: {error}"}
        send({"id": request["id"], **answer})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
