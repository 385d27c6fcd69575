# nginx, which ends HTTP/2 in front of a server that speaks HTTP/1.1.
command -v nginx >/dev/null || fail 'nginx is not installed. On Debian: apt-get install nginx-light' 127
. "$here/../upstream.sh"
version=$(nginx -v 2>&1)
program="nginx ${version##*/}, in front of Bun" language=C library=nginx

case $protocol in
h2) parameters='ssl http2' ;;
http/1.1) parameters=ssl ;;
*) fail "--protocol $protocol: expected h2 or http/1.1" ;;
esac

add_host() {
	add_upstream "$1"
	cat >>hosts.conf <<-END
		upstream behind-$1 {
			server 127.0.0.1:$port;
			keepalive 64;
		}
		server {
			listen $2 $parameters;
			server_name $1;
			ssl_certificate certs/$1.pem;
			ssl_certificate_key certs/$1.key;
			location / {
				proxy_pass https://behind-$1;
				proxy_http_version 1.1;
				proxy_set_header Connection "";
				proxy_set_header Host \$host;
				proxy_ssl_server_name on;
				proxy_ssl_name $1;
			}
		}
	END
}

configure() {
	start_upstream
	user=''
	[ "$(id -u)" != 0 ] || user='user root;'
	cat >nginx.conf <<-END
		daemon off;
		master_process off;
		$user
		pid nginx.pid;
		events {
			worker_connections 4096;
		}
		http {
			access_log off;
			server_tokens off;
			keepalive_timeout 300s;
			keepalive_requests 1000000;
			client_max_body_size 0;
			client_body_temp_path body;
			proxy_temp_path proxy;
			fastcgi_temp_path fastcgi;
			uwsgi_temp_path uwsgi;
			scgi_temp_path scgi;
			ssl_ecdh_curve X25519;
			include hosts.conf;
		}
	END
}

serve() {
	exec nginx -p "$temporary" -c "$temporary/nginx.conf" -e stderr
}
