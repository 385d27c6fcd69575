"""Has the kernel pace the TCP connections that servers accept, without the queueing discipline fq."""

import contextlib
import ctypes
import os
import re
import socket
import struct

import namespaces

_LISTENING = 0x0A
# A wildcard of IPv6 also accepts connections over IPv4.
_ANY = ("0" * 8, "0" * 32)
# Start of an IPv6 address with an IPv4 address in it.
_MAPPED = "0" * 16 + f"{struct.unpack('=I', bytes((0, 0, 255, 255)))[0]:08X}"
_SO_MAX_PACING_RATE = 47
# TCP paces by its own timer once a limit is set, which is far above the rate that it paces at. Connections inherit it.
_LIMIT_BYTES_PER_S = 2**40
_LIMIT = struct.Struct("=Q")
_PIDFD_GETFD = 438
_REMEDY = (
    "it needs Linux 5.6 and the capability SYS_PTRACE "
    "(in a container: --cap-add SYS_PTRACE), or omit the arms whose TCP is paced"
)

_libc = ctypes.CDLL(None, use_errno=True)


def pace(holder, addresses):
    """
    Sets the pacing of all sockets that listen at these addresses (`ip:port`) in the network namespace of a process, or
    for any address at their ports. Processes that inherited a socket share it.
    """
    left = _listening(holder, addresses)
    if not left:
        raise OSError(f"nothing listens at {', '.join(addresses)}")
    for pid, file, inode in _sockets(holder):
        if inode in left:
            _set_limit(pid, file)
            left.discard(inode)
    if left:
        raise OSError(f"a listening socket belongs to no process that this one may see: {_REMEDY}")


def _listening(holder, addresses):
    """Inodes of the sockets."""
    wanted = {(address, port) for ip, port in map(_split, addresses) for address in (_hex(ip), *_ANY)}
    found = set()
    for table in ("tcp", "tcp6"):
        # A kernel without IPv6 has no such file.
        with contextlib.suppress(FileNotFoundError), open(f"/proc/{holder}/net/{table}", encoding="ascii") as lines:
            for line in list(lines)[1:]:
                fields = line.split()
                address, port = fields[1].split(":")
                if int(fields[3], 16) == _LISTENING and (_without_prefix(address), int(port, 16)) in wanted:
                    found.add(int(fields[9]))
    return found


def _split(address):
    ip, port = address.rsplit(":", 1)
    return ip, int(port)


def _hex(ip):
    """An IPv4 address in the kernel's format: a number in the machine's byte order."""
    return f"{struct.unpack('=I', socket.inet_aton(ip))[0]:08X}"


def _without_prefix(address):
    """The IPv4 address in an IPv6 address, if there is one."""
    return address[len(_MAPPED) :] if address.startswith(_MAPPED) else address


def _sockets(holder):
    """Process, file descriptor and inode of every socket of the processes in a namespace."""
    network = os.readlink(f"/proc/{holder}/ns/net")
    for pid in filter(str.isdigit, os.listdir("/proc")):
        # Processes and files may end meanwhile, or belong to another user.
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/{pid}/ns/net") != network:
                continue
            for file in os.listdir(f"/proc/{pid}/fd"):
                with contextlib.suppress(OSError):
                    found = re.fullmatch(r"socket:\[(\d+)\]", os.readlink(f"/proc/{pid}/fd/{file}"))
                    if found:
                        yield int(pid), int(file), int(found[1])


def _set_limit(pid, file):
    try:
        process = os.pidfd_open(pid)
        try:
            duplicate = _libc.syscall(_PIDFD_GETFD, process, file, 0)
            if duplicate < 0:
                number = ctypes.get_errno()
                raise OSError(number, os.strerror(number))
        finally:
            os.close(process)
    except OSError as error:
        raise OSError(error.errno, f"a socket of process {pid} cannot be duplicated: {error.strerror}. {_REMEDY}") from error
    with socket.socket(fileno=duplicate) as listener:
        listener.setsockopt(socket.SOL_SOCKET, _SO_MAX_PACING_RATE, _LIMIT.pack(_LIMIT_BYTES_PER_S))
        kept = _LIMIT.unpack(listener.getsockopt(socket.SOL_SOCKET, _SO_MAX_PACING_RATE, _LIMIT.size).ljust(_LIMIT.size, b"\0"))[0]
        if kept != _LIMIT_BYTES_PER_S:
            raise OSError(f"the kernel keeps {kept} B/s as the limit of its pacing, expected {_LIMIT_BYTES_PER_S}: {_REMEDY}")
