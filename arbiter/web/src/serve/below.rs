//! Handing a request to the pages below an address.

use std::convert::Infallible;

use axum::Router;
use axum::extract::Request;
use axum::http::Uri;
use axum::response::Response;
use tower::ServiceExt;

use crate::serve::page;
use crate::serve::server::Client;

/// Answers a request by these routes, which see only the rest of its path.
pub(super) async fn hand(routes: Router, rest: &str, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let query = parts.uri.query().map_or_else(String::new, |query| format!("?{query}"));
    let Ok(inner) = format!("/{rest}{query}").parse::<Uri>() else { return page::missing() };
    parts.uri = inner;
    // What the routes above have found in the path is no parameter of those below.
    let client = parts.extensions.get::<Client>().copied();
    parts.extensions.clear();
    if let Some(client) = client {
        parts.extensions.insert(client);
    }
    let never = |never: Infallible| match never {};
    routes.oneshot(Request::from_parts(parts, body)).await.unwrap_or_else(never)
}
