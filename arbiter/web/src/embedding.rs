//! The page of a game without its surroundings, which pages of other sites may show inside themselves where the owner
//! of the server says so.
//!
//! No other page may be shown in a frame: a page around it could lead a visitor to click on what they do not see.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use maud::html;
use rules::NotText;

use crate::league::ServedLeague;
use crate::live::GameAddress;
use crate::page::{missing, read, viewer};
use crate::tournament::ServedTournament;
use report::html::games::{ViewedGame, bar, stage, viewer_scripts};

/// The pages that may show a game inside themselves: all, or those of an origin such as `https://cup.example.org`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embedder(String);

impl FromStr for Embedder {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Embedder, NotText> {
        let wrong = || NotText::new("an origin, such as `https://cup.example.org`, or `*`", text);
        if text == "*" {
            return Ok(Embedder(text.to_owned()));
        }
        let (scheme, host) = text.split_once("://").ok_or_else(wrong)?;
        let (name, port) =
            host.split_once(':').map_or((host, None), |(name, port)| (name, Some(port)));
        let is_plain = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let is_name = name.len() <= 253 && name.split('.').all(is_plain);
        let is_port = port.is_none_or(|port| {
            port.parse::<u16>().is_ok_and(|number| number > 0 && number.to_string() == port)
        });
        match matches!(scheme, "http" | "https") && is_name && is_port {
            true => Ok(Embedder(text.to_owned())),
            false => Err(wrong()),
        }
    }
}

impl fmt::Display for Embedder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Marks the answer that may be shown in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EmbeddingMarker;

/// The part of a policy that names the pages around an embedded one; none where there may be none.
pub(super) fn ancestors(embedders: &[Embedder]) -> Option<HeaderValue> {
    let names: Vec<&str> = embedders.iter().map(|Embedder(name)| name.as_str()).collect();
    let names = (!names.is_empty()).then(|| names.join(" "))?;
    HeaderValue::from_str(&format!("frame-ancestors {names}")).ok()
}

/// The page of each game of a tournament, at `/embed/N`.
pub(super) fn of_tournament(tournament: Arc<ServedTournament>) -> Router {
    Router::new().route("/embed/{game}", get(in_tournament)).with_state(tournament)
}

/// The page of each game of a league, at `/embed/ROUND-N`.
pub(super) fn of_league(league: Arc<ServedLeague>) -> Router {
    Router::new().route("/embed/{game}", get(in_league)).with_state(league)
}

async fn in_tournament(
    State(tournament): State<Arc<ServedTournament>>,
    Path(address): Path<String>,
) -> Response {
    read(move || match address.parse() {
        Ok(GameAddress { round: None, game }) => page(&tournament, "../", game),
        _ => missing(),
    })
    .await
}

async fn in_league(
    State(league): State<Arc<ServedLeague>>,
    Path(address): Path<String>,
) -> Response {
    read(move || match address.parse() {
        Ok(GameAddress { round: Some(round), game }) => match league.round(round) {
            Some(tournament) => page(&tournament, &format!("../rounds/{round}/"), game),
            None => missing(),
        },
        _ => missing(),
    })
    .await
}

/// The page of a game whose report lies there. Until the game is in the log, the viewer says that it is not.
fn page(tournament: &ServedTournament, root: &str, game: u64) -> Response {
    let found = tournament.compute(|report, _| Ok(report.game_name().to_owned()));
    let Ok(name) = found else { return missing() };
    let scripts = viewer_scripts(&name);
    let scripts: Vec<&str> = scripts.iter().map(String::as_str).collect();
    let data = format!("{root}data/index.js");
    let way = html! {
        a href={ (root) "game.html#game=" (game) } target="_blank" rel="noopener" { "Full game page" }
    };
    let body = html! {
        (bar(&way, &format!("Game {game}"), ""))
        (stage(&name, ViewedGame::One(game)))
    };
    let page = viewer(&format!("game {game}"), &scripts, &data, body);
    (StatusCode::OK, Extension(EmbeddingMarker), page).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_has_a_scheme_a_name_and_at_most_a_port() {
        for text in
            ["*", "https://cup.example.org", "http://localhost:3000", "https://a-b.example:65535"]
        {
            assert_eq!(text.parse::<Embedder>().map(|it| it.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "",
            "cup.example.org",
            "https://",
            "https://a/",
            "https://a b",
            "https://a;script-src *",
            "https://a,b",
            "https://a:0",
            "https://a:080",
            "https://a:65536",
            "https://a..b",
            "https://*",
            "https://[::1]",
            "ftp://a",
            "'self'",
            "https://a\r\nx: y",
        ] {
            assert!(text.parse::<Embedder>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_policy_names_all_of_them() {
        let origins = |all: &[&str]| -> Vec<Embedder> {
            all.iter().map(|it| it.parse().expect("an origin")).collect()
        };
        assert_eq!(ancestors(&[]), None);
        let two = ancestors(&origins(&["https://a.example", "https://b.example"]));
        assert_eq!(two.expect("a policy"), "frame-ancestors https://a.example https://b.example");
    }
}
