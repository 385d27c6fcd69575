"""User and network namespaces, through the C library."""

import contextlib
import ctypes
import errno
import os
import select
import signal
import time

CLONE_NEWNET = 0x40000000
CLONE_NEWUSER = 0x10000000

_PR_SET_PDEATHSIG = 1
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_RAISE = 2
_CAPABILITY_VERSION_3 = 0x20080522
_CAP_NET_BIND_SERVICE = 10
_CAP_NET_ADMIN = 12
_CAP_NET_RAW = 13
_CAP_SYS_ADMIN = 21

# A killed process is gone by then, unless the kernel is stuck.
_KILLING_LIMIT_S = 3
_POLL_INTERVAL_S = 0.03
_HANGUP_LIMIT_MS = 1000

_libc = ctypes.CDLL(None, use_errno=True)


class NotAllowed(Exception):
    """This machine does not allow it; `remedy` says what to allow."""

    def __init__(self, message, remedy):
        super().__init__(message)
        self.remedy = remedy


def may_make_network_namespaces():
    """Whether this process has the capabilities (as root has outside of containers)."""
    with open("/proc/self/status", encoding="ascii") as status:
        effective = next(int(line.split()[1], 16) for line in status if line.startswith("CapEff:"))
    needed = 1 << _CAP_SYS_ADMIN | 1 << _CAP_NET_ADMIN
    return effective & needed == needed


def enter_user_namespace():
    """Moves this process into a user namespace of its own, the user staying who it is.

    Not mapped to root: Chromium refuses its sandbox as root. The capabilities are made ambient, so
    that programs this process runs (`ip`, `tc`) have them although the user is an ordinary one.
    """
    uid, gid = os.getuid(), os.getgid()
    try:
        _unshare(CLONE_NEWUSER)
    except OSError as error:
        raise NotAllowed(
            f"this user (uid {uid}) may not make a user namespace: {error.strerror}",
            _remedy_of_user_namespace(error.errno),
        ) from error
    try:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{uid} {uid} 1")
        _write("/proc/self/gid_map", f"{gid} {gid} 1")
        _make_capabilities_ambient([_CAP_NET_BIND_SERVICE, _CAP_NET_ADMIN, _CAP_NET_RAW])
    except OSError as error:
        raise NotAllowed(
            f"a user namespace could be made but not used by uid {uid}: {error.strerror}",
            _remedy_of_user_namespace(error.errno),
        ) from error


def hold_network_namespace():
    """Makes a network namespace that lives as long as the process whose id is returned.

    The holder dies with this process, and the namespace has no name that would remain. If the other
    end of stdin is gone too, no process is left to end the programs in the namespace: the holder
    kills them first.
    """
    parent = os.getpid()
    read_end, write_end = os.pipe()
    holder = os.fork()
    if holder == 0:
        try:
            agent_input = os.dup(0)
            signal.signal(signal.SIGTERM, lambda *_: _end_holding(agent_input))
            die_with(parent, signal.SIGTERM)
            let_go_of_streams()
            _unshare(CLONE_NEWNET)
            os.write(write_end, b"0")
            os.close(write_end)
            while True:
                signal.pause()
        except OSError as error:
            os.write(write_end, str(error.errno).encode())
        finally:
            os._exit(1)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as answer:
        number = int(answer.read() or errno.EIO)
    if number != 0:
        raise NotAllowed(
            f"a network namespace could not be made: {os.strerror(number)}",
            _remedy_of_network_namespace(number),
        )
    return holder


def need_settings():
    """Fails if settings of network namespaces are read-only, as in most containers."""
    if os.statvfs("/proc/sys").f_flag & os.ST_RDONLY:
        raise NotAllowed(
            "the settings of network namespaces cannot be written: /proc/sys is mounted read-only",
            "let the container write them (podman run --security-opt unmask=/proc/sys, "
            "docker run --security-opt systempaths=unconfined); which of them a user may change stays as it is",
        )


def has_ended(holder):
    """Whether a holder that this process started has ended."""
    try:
        return os.waitpid(holder, os.WNOHANG)[0] != 0
    except ChildProcessError:
        # Reported before.
        return True


def enter_network_namespace(namespace):
    """Moves this process into the network namespace of an open /proc/PID/ns/net."""
    if _libc.setns(namespace, CLONE_NEWNET) != 0:
        raise _last_error()


def _end_holding(agent_input):
    poll = select.poll()
    poll.register(agent_input, 0)
    # A program that the killed process was just starting may still hold that end.
    if any(events & select.POLLHUP for _, events in poll.poll(_HANGUP_LIMIT_MS)):
        _kill_namespace_processes()
    os._exit(1)


def _kill_namespace_processes():
    """Kills all other processes in this process's network namespace, and those that they start meanwhile."""
    own = os.readlink("/proc/self/ns/net")
    end = time.monotonic() + _KILLING_LIMIT_S
    while time.monotonic() < end:
        found = [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if _is_in(own, pid)]
        if not found:
            return
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_POLL_INTERVAL_S)


def _is_in(network, pid):
    try:
        return pid != os.getpid() and os.readlink(f"/proc/{pid}/ns/net") == network
    except OSError:
        # It has ended, or belongs to another user.
        return False


def die_with(parent, by=signal.SIGKILL):
    """Has the kernel send this process a signal when its parent ends."""
    if _libc.prctl(_PR_SET_PDEATHSIG, by, 0, 0, 0) != 0:
        raise _last_error()
    if os.getppid() != parent:
        # The parent ended before prctl().
        os._exit(1)


def _unshare(flags):
    if _libc.unshare(flags) != 0:
        raise _last_error()


def _write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _make_capabilities_ambient(capabilities):
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    # Twice (low and high 32 bits): effective, permitted, inheritable.
    data = (ctypes.c_uint32 * 6)()
    if _libc.capget(header, data) != 0:
        raise _last_error()
    data[2], data[5] = data[1], data[4]
    if _libc.capset(header, data) != 0:
        raise _last_error()
    for capability in capabilities:
        if _libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, capability, 0, 0) != 0:
            raise _last_error()


def let_go_of_streams():
    """Closes stdin and stdout, so that a reader of their end does not wait for a holder."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.close(nothing)


def _last_error():
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))


def _setting(name):
    """The value of a kernel setting; None: the kernel has no such setting."""
    try:
        with open(f"/proc/sys/{name.replace('.', '/')}", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return None


def _remedy_of_user_namespace(number):
    if _setting("user.max_user_namespaces") == "0":
        return "allow user namespaces (sudo sysctl user.max_user_namespaces=10000), or run as root"
    if _setting("kernel.unprivileged_userns_clone") == "0":
        return (
            "allow user namespaces to ordinary users "
            "(sudo sysctl kernel.unprivileged_userns_clone=1), or run as root"
        )
    if _setting("kernel.apparmor_restrict_unprivileged_userns") == "1":
        return (
            "Ubuntu's AppArmor forbids it; allow it "
            "(sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0), or run as root"
        )
    if number == errno.EINVAL:
        return "this kernel has no user namespaces: run as root"
    if number == errno.ENOSPC:
        return "raise user.max_user_namespaces (sudo sysctl user.max_user_namespaces=10000)"
    return (
        "run as root; in a container let it make namespaces "
        "(docker run --security-opt seccomp=unconfined, or --cap-add SYS_ADMIN)"
    )


def _remedy_of_network_namespace(number):
    if number == errno.ENOSPC:
        return "raise user.max_net_namespaces (sudo sysctl user.max_net_namespaces=10000)"
    if number == errno.EINVAL:
        return "this kernel has no network namespaces (CONFIG_NET_NS): use another kernel"
    return _remedy_of_user_namespace(number)
