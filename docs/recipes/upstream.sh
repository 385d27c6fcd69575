# The server behind a proxy: Bun over HTTP/1.1, one port of the loopback for each host. Any program that keeps the contract can take its place.
root=$(cd "$here/../../.." && pwd)
upstreams=''

# Gives the host a port, in $port.
add_upstream() {
	free_port
	upstreams="$upstreams --listen $1=127.0.0.1:$port"
}

# Starts the proxied server, which start.sh stops, too.
start_upstream() {
	"$root"/node_modules/@oven/bun-linux-*/bin/bun "$root/docs/recipes/upstream.ts" --site "$site" --certs "$certs" \
		--think "$think" --sub-resources "$sub_resources" $upstreams <&3 >&2 &
	processes=$!
	until is_taken "127.0.0.1:$port" tcp; do
		sleep 0.05
		kill -0 $processes 2>/dev/null || fail 'the server behind the proxy ended before it listened'
	done
}
