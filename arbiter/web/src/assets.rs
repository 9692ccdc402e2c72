//! Styles and scripts, which are part of the program.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::Router;
use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::delta::{self, CacheTime};
use report::assets as of_reports;

/// The files that only served pages have.
const FILES: [(&str, &str); 17] = [
    ("streams.js", include_str!("assets/streams.js")),
    ("renewal.js", include_str!("assets/renewal.js")),
    ("live.js", include_str!("assets/live.js")),
    ("playing.js", include_str!("assets/playing.js")),
    ("following.js", include_str!("assets/following.js")),
    ("choice.js", include_str!("assets/choice.js")),
    ("ending.js", include_str!("assets/ending.js")),
    ("table.js", include_str!("assets/table.js")),
    ("table.css", include_str!("assets/table.css")),
    ("home.css", include_str!("assets/home.css")),
    ("tablic.svg", include_str!("assets/tablic.svg")),
    ("coup.svg", include_str!("assets/coup.svg")),
    ("durak.svg", include_str!("assets/durak.svg")),
    ("hand-in.css", include_str!("assets/hand-in.css")),
    ("check-log.js", include_str!("assets/check-log.js")),
    ("organiser.js", include_str!("assets/organiser.js")),
    ("hand-in.js", include_str!("assets/hand-in.js")),
];

/// Those files as they are sent.
static OWN: LazyLock<BTreeMap<&str, String>> = LazyLock::new(|| {
    FILES.iter().map(|(name, text)| (*name, of_reports::light(name, text))).collect()
});

/// The files of all pages, below `assets/`.
pub(super) fn routes() -> Router {
    Router::new().route("/assets/{name}", get(file))
}

async fn file(Path(name): Path<String>, asked: HeaderMap) -> Response {
    match OWN.get(name.as_str()).map(String::as_str).or_else(|| of_reports::find(&name)) {
        Some(text) => {
            let kind = match name.rsplit_once('.') {
                Some((_, "css")) => "text/css; charset=utf-8",
                Some((_, "svg")) => "image/svg+xml",
                _ => "text/javascript; charset=utf-8",
            };
            delta::text(&asked, kind, Bytes::from_static(text.as_bytes()), CacheTime::ForAMinute)
        }
        None => (StatusCode::NOT_FOUND, "no such file\n").into_response(),
    }
}
