//! What pages have in common that are not those of a report.

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};
use serde_json::json;
use text::printable;

use crate::report::html::layout::{Location, Page};
use crate::serve::guest;
use text::shell::without_folders;

/// Answers by what reads files or thinks for a moment, in a thread for that.
pub(super) async fn read(answer: impl FnOnce() -> Response + Send + 'static) -> Response {
    match tokio::task::spawn_blocking(answer).await {
        Ok(response) => response,
        Err(_) => message(StatusCode::INTERNAL_SERVER_ERROR, "The page cannot be made", ""),
    }
}

/// There is no such page.
pub(super) fn missing() -> Response {
    message(StatusCode::NOT_FOUND, "There is no such page", "")
}

/// What was served here is not there any more: a page for browsers, and JSON for programs.
pub(super) fn gone(headers: &HeaderMap) -> Response {
    let text = "the league or tournament was removed from the folder, or its disk is not available";
    match guest::wants_page(headers) {
        true => message(StatusCode::GONE, "This page is gone", text),
        false => (StatusCode::GONE, Json(json!({ "error": text }))).into_response(),
    }
}

/// A page that says one thing, without the folders of this machine.
pub(super) fn message(status: StatusCode, title: &str, text: &str) -> Response {
    // It may lie at any depth, and so loads nothing.
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · arbiter" }
                link rel="icon" href="data:,";
                style { "body { font: 16px/1.5 system-ui, sans-serif; max-width: 45rem; margin: 3rem auto; padding: 0 1rem; }" }
            }
            body { main id="main" {
                h1 { (title) }
                @if !text.is_empty() { p { (printable(&without_folders(text))) } }
                p { a href="./" { "Back" } }
            } }
        }
    };
    (status, Html(page.into_string())).into_response()
}

/// A page with nothing but the usual styles and scripts.
pub(super) fn html(title: &str, location: Location, body: Markup) -> Html<String> {
    let page = Page { title, location, styles: &[], scripts: &[], data: &[], body };
    Html(page.render().into_string())
}
