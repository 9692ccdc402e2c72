//! Requests that no page answers: what the library says of them, as a page for browsers and as JSON for programs.

use axum::Json;
use axum::body::{HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::serve::{guest, page};

/// The longest text that is passed on, in bytes.
const LONGEST: usize = 4 << 10;

/// Gives an answer that is a refusal in plain text, or without any, the form that the client reads.
pub(super) async fn told(request: Request, next: Next) -> Response {
    let wants_page = guest::wants_page(request.headers());
    let response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_text = kind.is_some_and(|kind| kind.starts_with("text/plain"));
    let is_bare = kind.is_none() && response.body().size_hint().exact() == Some(0);
    if !response.status().is_client_error() || !(is_text || is_bare) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let text = to_bytes(body, LONGEST).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let why = match text.trim() {
        "" => parts.status.canonical_reason().unwrap_or("it is not as expected").to_lowercase(),
        text => {
            let (first, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
            first.to_lowercase() + rest
        }
    };
    // The length and the kind are those of the new body.
    parts.headers.remove(header::CONTENT_TYPE);
    parts.headers.remove(header::CONTENT_LENGTH);
    let told = match wants_page {
        true => page::message(parts.status, "This request cannot be answered", &why),
        false => (parts.status, Json(json!({ "error": why }))).into_response(),
    };
    (parts.headers, told).into_response()
}
