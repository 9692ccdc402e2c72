//! Requests that change something must come from a page of this server, or from no page at all.

use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Refuses what a page of another site sends in the name of its reader.
///
/// Browsers say of themselves where a request comes from; what says nothing is no browser of this
/// decade, and may do what needs no cookie.
pub(super) async fn check(request: Request, next: Next) -> Response {
    let only_reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if only_reads || is_from_here(request.headers()) {
        return next.run(request).await;
    }
    let problem = "this request comes from a page of another site, expected one of this server\n";
    (StatusCode::FORBIDDEN, problem).into_response()
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
