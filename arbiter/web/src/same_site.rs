//! Requests that change something must come from a page of this server, or from no page at all; and a server for
//! this machine alone answers to no other name than that of this machine.

use std::net::Ipv4Addr;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, header};
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
    let problem = "this request comes from a page of another site, expected one of this server\n";
    (StatusCode::FORBIDDEN, problem).into_response()
}

/// Refuses requests to another name: the name of a page elsewhere can be led to this machine, and then a
/// browser takes both for one site.
pub(super) async fn check_host(names: Arc<Names>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|value| value.to_str().ok());
    match host.is_none_or(|host| names.has(host)) {
        true => next.run(request).await,
        false => {
            let problem =
                "the server has another name, expected localhost or a name given by --host\n";
            (StatusCode::MISDIRECTED_REQUEST, problem).into_response()
        }
    }
}

/// The names that a server answers to.
#[derive(Debug)]
pub(super) enum Names {
    /// Any: it listens for other machines.
    All,
    /// Addresses, `localhost` and these.
    Local(Vec<String>),
}

/// The machines that a server is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// This one alone: it listens for no other, and no proxy passes a name on.
    ThisMachine,
    /// Others, too.
    Others,
}

impl Names {
    /// The machines that a server with these names is for.
    pub(super) fn reach(&self) -> Reach {
        match self {
            Names::Local(others) if others.is_empty() => Reach::ThisMachine,
            Names::Local(_) | Names::All => Reach::Others,
        }
    }

    fn has(&self, host: &str) -> bool {
        let Names::Local(others) = self else { return true };
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
        let names = Names::Local(vec!["cup.example".to_owned()]);
        for host in ["127.0.0.1:8080", "localhost", "LocalHost:1", "[::1]:8080", "Cup.example:443"]
        {
            assert!(names.has(host), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example:8080", "localhost.evil", ""] {
            assert!(!names.has(host), "{host}");
            assert!(Names::All.has(host), "{host}");
        }
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
