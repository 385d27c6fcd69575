# nginx over HTTP/2, in front of this project's own server. For any other server, replace what names nginx.
command -v nginx >/dev/null || fail 'nginx is not installed. On Debian: apt-get install nginx-light' 127
[ "$protocol" = h2 ] || fail "--protocol $protocol: expected h2"
. "$here/../upstream.sh"
program="nginx $(nginx -v 2>&1 | sed 's|.*/||'), in front of Bun" language=C library=nginx

# Host $1 of the site answers at address $2, and is behind 127.0.0.1:$port.
add_host() {
	add_upstream "$1"
	echo "upstream behind-$1 { server 127.0.0.1:$port; keepalive 64; }
		server { listen $2 ssl http2; server_name $1; ssl_certificate certs/$1.pem; ssl_certificate_key certs/$1.key;
		location / { proxy_pass https://behind-$1; proxy_ssl_server_name on; proxy_ssl_name $1; } }" >>hosts.conf
}

configure() {
	start_upstream
	echo "daemon off; master_process off; $([ "$(id -u)" != 0 ] || echo 'user root;') pid nginx.pid; events { worker_connections 4096; }
		http { access_log off; server_tokens off; ssl_ecdh_curve X25519; client_max_body_size 0; keepalive_requests 1000000;
		client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
		proxy_http_version 1.1; proxy_set_header Connection ''; proxy_set_header Host \$host; include hosts.conf; }" >nginx.conf
}

serve() { exec nginx -p "$temporary" -c "$temporary/nginx.conf" -e stderr; }
