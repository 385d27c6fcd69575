# Configuration of nginx for start.sh.
command -v nginx >/dev/null || fail 'nginx is not installed. On Debian: apt-get install nginx-light' 127
version=$(nginx -v 2>&1)
program="nginx ${version##*/}" language=C library=nginx

case $protocol in
h3)
	# Since nginx 1.25, as a build option.
	nginx -V 2>&1 | grep -q http_v3_module || fail "$program has no HTTP/3. Expected nginx 1.25 or newer, built --with-http_v3_module; it speaks h2 and http/1.1"
	parameters=quic
	;;
# Older syntax, which newer versions also accept.
h2) parameters='ssl http2' ;;
http/1.1) parameters=ssl ;;
*) fail "--protocol $protocol: expected h3, h2 or http/1.1" ;;
esac

add_host() {
	cat >>hosts.conf <<-END
		server {
			listen $2 $parameters;
			server_name $1;
			ssl_certificate certs/$1.pem;
			ssl_certificate_key certs/$1.key;
			include site/answers.conf;
		}
	END
}

# One process: QUIC connections stay with it, and as root it keeps access to this folder.
configure() {
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
			sendfile on;
			keepalive_timeout 300s;
			keepalive_requests 1000000;
			client_max_body_size 0;
			client_body_temp_path body;
			proxy_temp_path proxy;
			fastcgi_temp_path fastcgi;
			uwsgi_temp_path uwsgi;
			scgi_temp_path scgi;
			ssl_protocols TLSv1.2 TLSv1.3;
			ssl_ecdh_curve X25519;
			ssl_session_cache shared:sessions:10m;
			include site/requests.conf;
			include hosts.conf;
		}
	END
}

serve() {
	exec nginx -p "$temporary" -c "$temporary/nginx.conf" -e stderr
}
