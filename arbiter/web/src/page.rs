//! The common parts of pages that are not those of a report, and of answers without a page.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use axum::{Extension, Json, Router};
use maud::{DOCTYPE, Markup, html};
use serde_json::json;
use text::printable;
use text::shell::without_folders;
use tokio::time::timeout;
use tower::ServiceExt;

use crate::api::cors;
use crate::client_address::{self, PeerAddress};
use report::html::games::VIEWER_STYLES;
use report::html::layout::{Page, PageLocation};

/// The longest text of a refusal that is passed on, in bytes.
const LONGEST: usize = 4 << 10;

/// The style of a page that says one thing, with the colours of all others.
const MESSAGE_STYLE: &str = "\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 45rem; margin: 3rem auto; padding: 0 1rem; background: #f3f5f3; color: #17211c; } \
a { color: #0b6b4b; } \
@media (prefers-color-scheme: dark) { body { background: #0e1411; color: #e6ede9; } a { color: #63d3a2; } }";

/// Answers in a thread for it, since files are read or the answer takes a moment.
pub(super) async fn read(answer: impl FnOnce() -> Response + Send + 'static) -> Response {
    match tokio::task::spawn_blocking(answer).await {
        Ok(response) => response,
        Err(_) => message(StatusCode::INTERNAL_SERVER_ERROR, "Server error", ""),
    }
}

pub(super) fn encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let each = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    name.bytes().map(each).collect()
}

/// The time for which a page waits for standings: most are there by then.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// The seconds after which a page that waits for standings is loaded again.
const RELOAD: &str = "5";

/// The answer while standings are computed, which takes long with many bots. Browsers ask again by themselves.
pub(super) fn being_computed() -> Response {
    let text = "The standings are being computed. This page reloads until they are ready.";
    let page = message(StatusCode::SERVICE_UNAVAILABLE, "Computing standings", text);
    ([(header::RETRY_AFTER, RELOAD), (header::REFRESH, RELOAD)], page).into_response()
}

/// The answer that is made, unless that takes longer than this time. What has begun in another thread goes on.
pub(super) async fn with_timeout(
    patience: Duration,
    made: impl Future<Output = Response>,
) -> Response {
    timeout(patience, made).await.unwrap_or_else(|_| being_computed())
}

/// The answer for a page that does not exist.
pub(super) fn missing() -> Response {
    message(StatusCode::NOT_FOUND, "Page not found", "")
}

/// The answer for a source that is no longer there: a page for browsers, and JSON for programs.
pub(super) fn gone_response(headers: &HeaderMap) -> Response {
    let text = "the league or tournament was removed, or its disk is unavailable";
    match client_address::wants_page(headers) {
        true => message(StatusCode::GONE, "Page removed", text),
        false => (StatusCode::GONE, Json(json!({ "error": text }))).into_response(),
    }
}

/// The text of a page that says one thing.
#[derive(Debug, Clone)]
struct MessagePage {
    title: &'static str,
    text: String,
}

/// A page that says one thing, without the folders of this machine. [`finished`] writes it.
pub(super) fn message(status: StatusCode, title: &'static str, text: &str) -> Response {
    (status, Extension(MessagePage { title, text: text.to_owned() })).into_response()
}

impl MessagePage {
    fn page(&self, back: &str) -> Html<String> {
        // It may lie at any depth, and so loads nothing.
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) " · arbiter" }
                    link rel="icon" href="data:,";
                    style { (MESSAGE_STYLE) }
                }
                body { main id="main" {
                    h1 { (self.title) }
                    @if !self.text.is_empty() { p { (printable(&without_folders(&self.text))) } }
                    p { a href=(back) { "Back" } }
                } }
            }
        };
        Html(page.into_string())
    }
}

/// Writes pages that say one thing. A refusal in plain text, or without any, gets the form that the client reads: a page
/// for browsers, JSON for programs.
pub(super) async fn finished(request: Request, next: Next) -> Response {
    let is_for_programs = cors::may_be_interface(request.uri().path());
    let wants_page = !is_for_programs && client_address::wants_page(request.headers());
    // A proxy may put a slash too many in front.
    let folders = request.uri().path().trim_start_matches('/').matches('/').count();
    let response = next.run(request).await;
    let status = response.status();
    let back = match status {
        // Nothing need be there above a page that is missing, but for the first page of all.
        StatusCode::NOT_FOUND | StatusCode::GONE if folders > 0 => "../".repeat(folders),
        _ => "./".to_owned(),
    };
    if let Some(message) = response.extensions().get::<MessagePage>() {
        return with_body(response.headers(), (status, message.page(&back)));
    }
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_text = kind.is_some_and(|kind| kind.starts_with("text/plain"));
    let is_bare = kind.is_none() && response.body().size_hint().exact() == Some(0);
    if !status.is_client_error() || !(is_text || is_bare) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let text = to_bytes(body, LONGEST).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let why = match text.trim() {
        "" => status.canonical_reason().unwrap_or("invalid request").to_lowercase(),
        text => {
            let (first, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
            first.to_lowercase() + rest
        }
    };
    match wants_page {
        true => {
            let message = MessagePage { title: "Bad request", text: why };
            with_body(&parts.headers, (status, message.page(&back)))
        }
        false => with_body(&parts.headers, (status, Json(json!({ "error": why })))),
    }
}

/// An answer with these headers, but for the length and the kind, which are those of the new body.
fn with_body(headers: &HeaderMap, body: impl IntoResponse) -> Response {
    let mut headers = headers.clone();
    headers.remove(header::CONTENT_TYPE);
    headers.remove(header::CONTENT_LENGTH);
    (headers, body).into_response()
}

/// Answers a request by the routes below an address, which see only the rest of its path.
pub(super) async fn nested(routes: Router, rest: &str, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let query = parts.uri.query().map_or_else(String::new, |query| format!("?{query}"));
    let Ok(inner) = format!("/{rest}{query}").parse::<Uri>() else { return missing() };
    parts.uri = inner;
    // Parameters in the path of the routes above are none of those below.
    let client = parts.extensions.get::<PeerAddress>().copied();
    parts.extensions.clear();
    if let Some(client) = client {
        parts.extensions.insert(client);
    }
    let never = |never: Infallible| match never {};
    routes.oneshot(Request::from_parts(parts, body)).await.unwrap_or_else(never)
}

/// A page with nothing but the usual styles and scripts.
pub(super) fn html(title: &str, location: PageLocation, body: Markup) -> Html<String> {
    let page = Page { title, location, styles: &[], scripts: &[], data: &[], body };
    Html(page.render().into_string())
}

/// A page of the viewer, whose games come from the report with this data.
pub(super) fn viewer(title: &str, scripts: &[&str], data: &str, body: Markup) -> Html<String> {
    let location = PageLocation::SERVED.self_updating().below();
    let page = Page { title, location, styles: &VIEWER_STYLES, scripts, data: &[data], body };
    Html(page.render().into_string())
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use axum::body::Body;
    use axum::middleware;
    use tokio::runtime::Builder;

    use super::*;

    /// The answer at this address while standings are computed.
    fn answer(path: &str, accepted: &str) -> (Response<()>, String) {
        let request = Request::get(path).header(header::ACCEPT, accepted).body(Body::empty());
        let refusal = |request: Request| async move {
            match cors::is_interface(request.uri().path()) {
                true => cors::as_json(being_computed()),
                false => with_timeout(Duration::ZERO, pending()).await,
            }
        };
        let routes = Router::new().fallback(refusal).layer(middleware::from_fn(finished));
        Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(async {
            let Ok(answer) = routes.oneshot(request.expect("a request")).await;
            let (head, body) = answer.into_parts();
            let body = to_bytes(body, 1 << 20).await.expect("a body");
            (Response::from_parts(head, ()), String::from_utf8_lossy(&body).into_owned())
        })
    }

    #[test]
    fn a_page_whose_standings_are_being_computed_says_so_and_loads_again() {
        for (path, accepted, expected) in [
            ("/bots/1.html", "text/html", "standings are being computed"),
            ("/api/v1/", "*/*", "{\"error\":\"not ready: retry"),
        ] {
            let (head, body) = answer(path, accepted);
            assert_eq!(head.status(), StatusCode::SERVICE_UNAVAILABLE, "{path}");
            assert_eq!(head.headers()[header::RETRY_AFTER], RELOAD, "{path}");
            assert_eq!(head.headers()[header::REFRESH], RELOAD, "{path}");
            assert!(body.contains(expected), "{body}");
        }
    }

    #[test]
    fn a_page_that_is_made_in_time_is_answered() {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let made = ready(StatusCode::OK.into_response());
        assert_eq!(runtime.block_on(with_timeout(Duration::ZERO, made)).status(), StatusCode::OK);
    }
}
