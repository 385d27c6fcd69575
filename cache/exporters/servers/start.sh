#!/bin/sh
# Serves this folder by the program that server.sh knows, and keeps the contract of the servers of quic-vs-https:
#
#   start.sh --protocol h3|h2|http/1.1 --certs DIR --listen HOST=IP:PORT [--listen ...] [--site DIR]
#
# Prints one line of JSON when every address listens, and ends on SIGTERM or when its stdin closes.
set -eu
PATH=$PATH:/usr/sbin:/sbin

fail() {
	echo "$0: $1" >&2
	exit "${2:-1}"
}

here=$(cd "$(dirname "$0")" && pwd)
protocol='' certs='' site='' listens=''
while [ $# -gt 0 ]; do
	[ $# -gt 1 ] || fail "$1: expected a value"
	case $1 in
	--protocol) protocol=$2 ;;
	--certs) certs=$(cd "$2" && pwd) ;;
	--listen) listens="$listens $2" ;;
	--site) site=$2 ;;
	--think) [ "$2" = off ] || fail "--think $2: this server answers at once, and cannot wait as the recorded one did" ;;
	--sub-resources) [ "$2" = served ] || fail "--sub-resources $2: this server has the whole site, and leaves nothing out" ;;
	*) fail "$1: not known; expected --protocol, --certs, --listen and --site" ;;
	esac
	shift 2
done
[ -n "$certs" ] && [ -n "$listens" ] || fail '--protocol, --certs and --listen are needed'
if [ -n "$site" ] && ! cmp -s "$site/index.json" "$here/index.json"; then
	fail "--site $site: not the site that was exported to $here, or not as it was then. Export it again, or ask for the other with --sites"
fi

# Says what the program is (program, language, library), or fails where it cannot speak the protocol; defines the functions used below.
. "$here/server.sh"

temporary=$(mktemp -d)
ln -s "$here" "$temporary/site"
ln -s "$certs" "$temporary/certs"
cd "$temporary"
server='' reader=''
finish() {
	trap '' TERM INT
	kill $server $reader 2>/dev/null || true
	wait
	rm -rf "$temporary"
}
trap finish EXIT
trap 'exit 0' TERM INT

[ "$protocol" = h3 ] && transport=udp || transport=tcp
is_taken() { [ -n "$(ss -Hln --"$transport" "src $1")" ]; }

# Programs of their own begin far from each other, so that two that start at once do not choose the same.
free_port=$((10000 + $$ * 64 % 20000))
origins='' addresses=''
for listen in $listens; do
	host=${listen%%=*} address=${listen#*=}
	if [ "${address##*:}" = 0 ]; then
		while is_taken ":$free_port"; do free_port=$((free_port + 1)); done
		address=${address%:*}:$free_port
		free_port=$((free_port + 1))
	fi
	case " $addresses " in
	*" $address "*) ;;
	*) addresses="$addresses $address" ;;
	esac
	origins="$origins${origins:+,}\"$host\":\"$address\""
	add_host "$host" "$address"
done
is_taken "${addresses##* }" && fail "${addresses##* } is taken"

configure
# The program has neither our stdin nor our stdout, which are for the contract.
exec 3<&0
serve </dev/null 3<&- >&2 &
server=$!
# Whoever started us is gone when our stdin closes.
{ while read -r _; do :; done; kill -s TERM $$; } <&3 &
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
