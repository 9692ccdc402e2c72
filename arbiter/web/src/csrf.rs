//! Requests that change something must come from a page of this server, or from no page at all; and a server for
//! this machine alone answers to no other name than that of this machine.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode, Uri, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Refuses requests that a page of another site sends in the name of its reader.
///
/// Browsers tell the origin of a request; a client that tells nothing is no browser of this decade, and may
/// do all that needs no cookie.
pub(super) async fn check(request: Request, next: Next) -> Response {
    let only_reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if only_reads || is_from_here(request.headers()) {
        return next.run(request).await;
    }
    let problem = "cross-site request refused\n";
    (StatusCode::FORBIDDEN, problem).into_response()
}

/// Refuses requests to another name: the name of a page elsewhere can be led to this machine, and then a
/// browser takes both for one site. A request that does not name one server plainly is none: a proxy may read another
/// name in it.
pub(super) async fn check_host(names: Arc<ServerNames>, request: Request, next: Next) -> Response {
    let host = match host_of(request.version(), request.uri(), request.headers()) {
        Ok(host) => host,
        Err(why) => return (StatusCode::BAD_REQUEST, format!("{why}\n")).into_response(),
    };
    match host.is_none_or(|host| names.has(host)) {
        true => next.run(request).await,
        false => {
            let problem = "unknown host name: start the server with --host NAME\n";
            (StatusCode::MISDIRECTED_REQUEST, problem).into_response()
        }
    }
}

/// The server that a request names, with its port if there is one; none in a request of HTTP/1.0 that names none.
fn host_of<'a>(
    version: Version,
    target: &'a Uri,
    headers: &'a HeaderMap,
) -> Result<Option<&'a str>, &'static str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = match (hosts.next(), hosts.next()) {
        (_, Some(_)) => return Err("the request has two Host headers: send one"),
        (None, None) if version >= Version::HTTP_11 => {
            return Err("the request has no Host header: name the server");
        }
        (host, None) => host.map(|host| host.to_str().unwrap_or_default()),
    };
    let target = target.authority().map(Authority::as_str);
    if !host.into_iter().chain(target).all(is_host) {
        return Err("the name of the server is not valid: write HOST or HOST:PORT");
    }
    match (host, target) {
        (Some(host), Some(target)) if !host.eq_ignore_ascii_case(target) => {
            Err("the address of the request and its Host header name different servers")
        }
        (host, target) => Ok(host.or(target)),
    }
}

/// Returns true for a name or an address, with a port or without: no user, no path, and no second name.
fn is_host(text: &str) -> bool {
    let (is_name, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let Some((address, port)) = rest.split_once(']') else { return false };
            (address.parse::<Ipv6Addr>().is_ok(), port)
        }
        None => {
            let (name, port) = text.split_at(text.find(':').unwrap_or(text.len()));
            let is_letter = |it: u8| it.is_ascii_alphanumeric() || b"-._".contains(&it);
            (!name.is_empty() && name.bytes().all(is_letter), port)
        }
    };
    let is_digits = |port: &str| port.bytes().all(|it| it.is_ascii_digit());
    let is_port = |port: &str| is_digits(port) && (port.is_empty() || port.parse::<u16>().is_ok());
    is_name && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
}

#[derive(Debug)]
pub(super) enum ServerNames {
    /// Any: it listens for other machines.
    All,
    /// Addresses, `localhost` and these.
    Local(Vec<String>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServerAudience {
    /// This one alone: it listens for no other, and no proxy passes a name on.
    ThisMachine,
    /// Others, too.
    Others,
}

impl ServerNames {
    pub(super) fn reach(&self) -> ServerAudience {
        match self {
            ServerNames::Local(others) if others.is_empty() => ServerAudience::ThisMachine,
            ServerNames::Local(_) | ServerNames::All => ServerAudience::Others,
        }
    }

    fn has(&self, host: &str) -> bool {
        let ServerNames::Local(others) = self else { return true };
        if host.starts_with('[') {
            return true;
        }
        let name = host.split(':').next().unwrap_or(host);
        name.parse::<Ipv4Addr>().is_ok()
            || name.eq_ignore_ascii_case("localhost")
            || others.iter().any(|other| other.eq_ignore_ascii_case(name))
    }
}

fn is_from_here(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("unreadable"));
    if let Some(site) = text("sec-fetch-site") {
        return matches!(site, "same-origin" | "none");
    }
    match (text(header::ORIGIN.as_str()), text(header::HOST.as_str())) {
        (Some(origin), Some(host)) => {
            origin.split_once("://").is_some_and(|(_, from)| from.eq_ignore_ascii_case(host))
        }
        (Some(_), None) => false,
        (None, _) => !headers.contains_key(header::COOKIE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_for_this_machine_answers_to_its_names() {
        let names = ServerNames::Local(vec!["cup.example".to_owned()]);
        for host in ["127.0.0.1:8080", "localhost", "LocalHost:1", "[::1]:8080", "Cup.example:443"]
        {
            assert!(names.has(host), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example:8080", "localhost.evil", ""] {
            assert!(!names.has(host), "{host}");
            assert!(ServerNames::All.has(host), "{host}");
        }
    }

    #[test]
    fn a_request_names_one_server_plainly() {
        let host = |version, target: &str, hosts: &[&str]| {
            let mut headers = HeaderMap::new();
            for host in hosts {
                headers.append(header::HOST, host.parse().expect("a value"));
            }
            let target: Uri = target.parse().expect("a target");
            host_of(version, &target, &headers).map(|host| host.map(str::to_owned))
        };
        for name in
            ["127.0.0.1:8080", "localhost", "localhost:", "a_b.example.:443", "[::1]", "[::1]:8080"]
        {
            assert_eq!(host(Version::HTTP_11, "/x", &[name]), Ok(Some(name.to_owned())), "{name}");
        }
        for hosts in [
            &[][..],
            &["a", "a"],
            &["a", "b"],
            &[""],
            &[" "],
            &["a,b"],
            &["a, b"],
            &["127.0.0.1:1@evil"],
            &["user@a"],
            &["a/b"],
            &["http://a"],
            &["a?b"],
            &["a#b"],
            &["a\\b"],
            &["a:b"],
            &["a:1:2"],
            &["a:65536"],
            &[":80"],
            &["::1"],
            &["[::1"],
            &["[evil]"],
            &["[::1]x"],
            &["[::1]@evil"],
            &["a%2fb"],
            &["\u{e9}"],
        ] {
            assert!(host(Version::HTTP_11, "/", hosts).is_err(), "{hosts:?}");
        }
        assert_eq!(host(Version::HTTP_10, "/", &[]), Ok(None));
        let named = Ok(Some("Cup.example:1".to_owned()));
        assert_eq!(host(Version::HTTP_11, "http://cup.example:1/x", &["Cup.example:1"]), named);
        for (target, hosts) in [
            ("http://evil/", &["localhost"][..]),
            ("http://localhost:2/", &["localhost"]),
            ("http://me@localhost/", &["localhost"]),
            ("http://me@localhost/", &["me@localhost"]),
            ("http://localhost/", &[]),
        ] {
            assert!(host(Version::HTTP_11, target, hosts).is_err(), "{target} {hosts:?}");
        }
        let named = Ok(Some("evil".to_owned()));
        assert_eq!(host(Version::HTTP_10, "http://evil/", &[]), named, "it is not localhost");
    }

    #[test]
    fn requests_of_other_sites_are_told_apart() {
        let headers = |lines: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in lines {
                headers.insert(*name, value.parse().expect("a value"));
            }
            headers
        };
        let here: [&[(&str, &str)]; 5] = [
            &[],
            &[("sec-fetch-site", "same-origin"), ("cookie", "token=1")],
            &[("sec-fetch-site", "none"), ("cookie", "token=1")],
            &[("origin", "http://127.0.0.1:8080"), ("host", "127.0.0.1:8080")],
            &[("origin", "https://cup.example"), ("host", "Cup.example"), ("cookie", "token=1")],
        ];
        for lines in here {
            assert!(is_from_here(&headers(lines)), "{lines:?}");
        }
        let elsewhere: [&[(&str, &str)]; 6] = [
            &[("cookie", "token=1")],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "same-site"), ("origin", "http://a"), ("host", "a")],
            &[("origin", "null"), ("host", "127.0.0.1:8080")],
            &[("origin", "http://evil.example"), ("host", "127.0.0.1:8080")],
            &[("origin", "http://127.0.0.1:8080")],
        ];
        for lines in elsewhere {
            assert!(!is_from_here(&headers(lines)), "{lines:?}");
        }
    }
}
