# Caddy, which ends HTTP/3 or HTTP/2 in front of a server that speaks HTTP/1.1.
command -v caddy >/dev/null || fail 'Caddy is not installed. On Debian: apt-get install caddy' 127
. "$here/../upstream.sh"
version=$(caddy version)
program="Caddy ${version%% *}, in front of Bun" language=Go library='net/http, quic-go'

case $protocol in
h3) protocols=h3 ;;
h2) protocols='h1 h2' ;;
http/1.1) protocols=h1 ;;
*) fail "--protocol $protocol: expected h3, h2 or http/1.1" ;;
esac

add_host() {
	add_upstream "$1"
	cat >>hosts <<-END
		https://$1:${2##*:} {
			bind ${2%:*}
			tls certs/$1.pem certs/$1.key {
				curves x25519
			}
			header {
				defer
				# Its own names the port that it listens on; this one is what all stacks send.
				Alt-Svc "h3=\":443\"; ma=86400"
				-Server
			}
			reverse_proxy https://127.0.0.1:$port {
				header_up Host {host}
				transport http {
					compression off
					tls_server_name $1
					tls_insecure_skip_verify
				}
			}
		}
	END
}

configure() {
	start_upstream
	{
		cat <<-END
			{
				admin off
				auto_https off
				grace_period 1s
				log {
					level WARN
				}
				servers {
					protocols $protocols
				}
			}
		END
		cat hosts
	} >Caddyfile
}

serve() {
	export HOME="$temporary"
	exec caddy run --config Caddyfile --adapter caddyfile
}
