# Configuration of Apache for start.sh.
command -v apache2 >/dev/null || command -v httpd >/dev/null || fail 'Apache is not installed. On Debian: apt-get install apache2-bin' 127
httpd=$(command -v apache2 || command -v httpd)
version=$($httpd -v) version=${version#*Apache/}
program="Apache ${version%% *}" language=C library='mod_asis, mod_http2'

case $protocol in
h2) protocols='h2 http/1.1' ;;
http/1.1) protocols=http/1.1 ;;
h3) fail "$program has no HTTP/3; it speaks h2 and http/1.1" ;;
*) fail "--protocol $protocol: expected h2 or http/1.1" ;;
esac
for modules in /usr/lib/apache2/modules /usr/lib64/httpd/modules /usr/local/apache2/modules; do
	[ -e $modules/mod_asis.so ] && break
done

# Hosts that share an address share their certificate, and the first of them answers for all.
add_host() {
	! grep -qs "^<VirtualHost $2>" hosts.conf || return 0
	cat >>hosts.conf <<-END
		Listen $2
		<VirtualHost $2>
			ServerName $1
			SSLEngine on
			SSLCertificateFile certs/$1.pem
			SSLCertificateKeyFile certs/$1.key
			Include site/answers.conf
		</VirtualHost>
	END
}

configure() {
	cat >httpd.conf <<-END
		ServerRoot "$temporary"
		ServerName localhost
		DefaultRuntimeDir "$temporary"
		PidFile httpd.pid
		ErrorLog "|\$cat >&2"
		LogLevel error
		LoadModule mpm_event_module $modules/mod_mpm_event.so
		LoadModule authz_core_module $modules/mod_authz_core.so
		LoadModule asis_module $modules/mod_asis.so
		LoadModule rewrite_module $modules/mod_rewrite.so
		LoadModule socache_shmcb_module $modules/mod_socache_shmcb.so
		LoadModule ssl_module $modules/mod_ssl.so
		LoadModule headers_module $modules/mod_headers.so
		LoadModule http2_module $modules/mod_http2.so
		Protocols $protocols
		# The browser itself requests what a page preloads.
		H2Push off
		H2Upgrade off
		ServerTokens Prod
		KeepAliveTimeout 300
		MaxKeepAliveRequests 0
		SSLProtocol -all +TLSv1.2 +TLSv1.3
		SSLOpenSSLConfCmd Groups X25519
		SSLSessionCache shmcb:sessions(1048576)
		Include hosts.conf
	END
	# Apache started as root becomes another user, who may not be able to read this folder.
	[ "$(id -u)" != 0 ] || { rm site certs && cp -r "$here" site && cp -r "$certs" certs; }
}

serve() {
	[ "$(id -u)" != 0 ] || exec unshare --user --map-user=65534 --map-group=65534 "$httpd" -f "$temporary/httpd.conf" -DFOREGROUND
	exec "$httpd" -f "$temporary/httpd.conf" -DFOREGROUND
}
