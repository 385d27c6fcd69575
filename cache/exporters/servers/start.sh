#!/bin/sh
# Starts the server that server.sh knows, and keeps the contract of the servers of quic-vs-https:
#
#   start.sh --protocol h3|h2|http/1.1 --site DIR --certs DIR --listen HOST=IP:PORT [--listen ...]
#
# Prints one line of JSON when every address listens, and ends on SIGTERM or when its stdin closes.
set -eu
PATH=$PATH:/usr/sbin:/sbin

fail() {
	echo "$0: $1" >&2
	exit "${2:-1}"
}

here=$(cd "$(dirname "$0")" && pwd)
protocol='' certs='' site='' listens='' think=off sub_resources=served
while [ $# -gt 0 ]; do
	[ $# -gt 1 ] || fail "$1: expected a value"
	case $1 in
	--protocol) protocol=$2 ;;
	--certs) certs=$(cd "$2" && pwd) ;;
	--listen) listens="$listens $2" ;;
	--site) site=$(cd "$2" && pwd) ;;
	--think) think=$2 ;;
	--sub-resources) sub_resources=$2 ;;
	*) fail "$1: not known; expected --protocol, --site, --certs and --listen" ;;
	esac
	shift 2
done
[ -n "$site" ] && [ -n "$certs" ] && [ -n "$listens" ] || fail '--protocol, --site, --certs and --listen are needed'
# A site that was exported can be answered in one way alone.
if [ -e "$here/index.json" ]; then
	cmp -s "$site/index.json" "$here/index.json" ||
		fail "--site $site: not the site that was exported to $here, or not as it was then. Export it again, or ask for the other with --sites"
	[ "$think" = off ] || fail "--think $think: this server answers at once, and cannot wait as the recorded one did"
	[ "$sub_resources" = served ] || fail "--sub-resources $sub_resources: this server has the whole site, and leaves nothing out"
fi

[ "$protocol" = h3 ] && transport=udp || transport=tcp

# Says what the program is (program, language, library), or fails where it cannot speak the protocol; defines the functions used below.
. "$here/server.sh"

temporary=$(mktemp -d)
ln -s "$here" "$temporary/site"
ln -s "$certs" "$temporary/certs"
cd "$temporary"
server='' reader='' others=''
finish() {
	trap '' TERM INT
	kill $server $reader $others 2>/dev/null || true
	wait
	rm -rf "$temporary"
}
trap finish EXIT
trap 'exit 0' TERM INT

is_taken() { [ -n "$(ss -Hln --"${2:-$transport}" "src $1")" ]; }

# Programs of their own begin far from each other, so that two that start at once do not choose the same.
next_port=$((10000 + $$ * 64 % 20000))
free_port() {
	while [ -n "$(ss -Hltun "src :$next_port")" ]; do next_port=$((next_port + 1)); done
	port=$next_port
	next_port=$((next_port + 1))
}

origins='' addresses=''
for listen in $listens; do
	host=${listen%%=*} address=${listen#*=}
	if [ "${address##*:}" = 0 ]; then
		free_port
		address=${address%:*}:$port
	fi
	case " $addresses " in
	*" $address "*) ;;
	*) addresses="$addresses $address" ;;
	esac
	origins="$origins${origins:+,}\"$host\":\"$address\""
	add_host "$host" "$address"
done
is_taken "${addresses##* }" && fail "${addresses##* } is taken"

# What runs in the background has no stdin unless it is given another number.
exec 3<&0
configure
# The program has neither our stdin nor our stdout, which are for the contract.
serve </dev/null 3<&- >&2 &
server=$!
# Whoever started us is gone when our stdin closes; or we are, by a signal that nobody can catch.
{
	while read -r _; do :; done
	kill -s TERM $$ 2>/dev/null || { kill $server; rm -rf "$temporary"; }
} <&3 &
reader=$!

for address in $addresses; do
	until is_taken "$address"; do
		sleep 0.05
		kill -0 $server 2>/dev/null || fail "$program ended before it listened"
	done
done
printf '{"ready":true,"protocol":"%s","origins":{%s},"details":{"program":"%s","language":"%s","library":"%s"}}\n' \
	"$protocol" "$origins" "$program" "$language" "$library"
wait $server || true
fail "$program ended"
