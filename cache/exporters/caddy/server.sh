# Configuration of Caddy for start.sh.
command -v caddy >/dev/null || fail 'Caddy is not installed. On Debian: apt-get install caddy' 127
version=$(caddy version)
program="Caddy ${version%% *}" language=Go library='net/http, quic-go'

case $protocol in
h3) protocols='"h3"' ;;
h2) protocols='"h1","h2"' ;;
h2+h3) protocols='"h1","h2","h3"' ;;
http/1.1) protocols='"h1"' ;;
*) fail "--protocol $protocol: expected h3, h2, h2+h3 or http/1.1" ;;
esac

certificates=''
add_host() {
	certificates="$certificates${certificates:+,}{\"certificate\":\"certs/$1.pem\",\"key\":\"certs/$1.key\"}"
}

# One server for all addresses: site/routes.json selects the answer to a request.
configure() {
	listen=''
	for address in $addresses; do listen="$listen${listen:+,}\"$address\""; done
	{
		cat <<-END
			{
				"admin": { "disabled": true, "config": { "persist": false } },
				"logging": { "logs": { "default": { "level": "WARN" } } },
				"apps": {
					"tls": { "certificates": { "load_files": [$certificates] } },
					"http": {
						"grace_period": "1s",
						"servers": {
							"site": {
								"listen": [$listen],
								"protocols": [$protocols],
								"automatic_https": { "disable": true },
								"tls_connection_policies": [{ "curves": ["x25519"] }],
								"routes":
		END
		cat site/routes.json
		echo '} } } } }'
	} >caddy.json
}

serve() {
	export HOME="$temporary"
	exec caddy run --config caddy.json
}
