//! Styles and scripts, which are part of the program.

use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::report::assets as of_reports;

/// Those that only served pages have, by name.
const FILES: [(&str, &str); 7] = [
    ("live.js", include_str!("assets/live.js")),
    ("playing.js", include_str!("assets/playing.js")),
    ("following.js", include_str!("assets/following.js")),
    ("table.js", include_str!("assets/table.js")),
    ("table.css", include_str!("assets/table.css")),
    ("hand-in.css", include_str!("assets/hand-in.css")),
    ("hand-in.js", include_str!("assets/hand-in.js")),
];

/// The files of all pages, below `assets/`.
pub(super) fn routes() -> Router {
    Router::new().route("/assets/{name}", get(file))
}

async fn file(Path(name): Path<String>) -> Response {
    let own = FILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
    match own.or_else(|| of_reports::find(&name)) {
        Some(text) => {
            let kind = if name.ends_with(".css") { "text/css" } else { "text/javascript" };
            let headers = [
                (header::CONTENT_TYPE, format!("{kind}; charset=utf-8")),
                (header::CACHE_CONTROL, "max-age=60".to_owned()),
            ];
            (headers, text).into_response()
        }
        None => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
    }
}
