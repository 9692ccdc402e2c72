//! The page with the log of a league for everybody, on which a browser checks a log.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::get;
use maud::{Markup, html};
use text::counted;

use crate::delta::{self, CacheTime};
use crate::league::ServedLeague;
use crate::page;
use crate::published_log::NoArchive;
use league::publish::PublicLeague;
use report::html::layout::{Page, PageLocation, section, site_bar};
use report::league::LeagueReport;

/// The way from the pages of a league to the archive.
const DOWNLOAD: &str = "api/v1/log.tar";
/// The title of the page.
const TITLE: &str = "Log and proof";

pub(super) fn routes(league: Arc<ServedLeague>) -> Router {
    Router::new().route("/log.html", get(page)).with_state(league)
}

async fn page(State(league): State<Arc<ServedLeague>>, asked: HeaderMap) -> Response {
    page::read(move || {
        let published = league.published();
        let name = format!("log.html {}", published.state());
        let find = || published.find();
        let made = league
            .cached_text_with(&name, find, |reading, found| log_page(reading, found).into_string());
        let kind = "text/html; charset=utf-8";
        match made {
            Ok(Some(text)) => delta::text(&asked, kind, text, CacheTime::Asked),
            Ok(None) => page::missing(),
            Err(problem) => {
                page::message(StatusCode::INTERNAL_SERVER_ERROR, "Unreadable league", &problem)
            }
        }
    })
    .await
}

fn log_page(reading: &LeagueReport, found: &Result<PublicLeague, NoArchive>) -> Markup {
    let body = html! {
        (site_bar("./", &[("Standings", "./".to_owned()), ("Rounds", "rounds/".to_owned()), (TITLE, "log.html".to_owned())], TITLE, html! {}))
        main.wrap id="main" {
            div.hero { div { h1 { (TITLE) } p { (reading.title) } } }
            (reading.announced.lines())
            (section("download", "Download the log", download(reading, found)))
            (section("check", "Check a log here", check()))
        }
    };
    let title = format!("log of {}", reading.title);
    let location = PageLocation::SERVED.self_updating();
    let scripts = &["check-log.js"];
    Page { title: &title, location, styles: &["hand-in.css"], scripts, data: &[], body }.render()
}

fn download(reading: &LeagueReport, found: &Result<PublicLeague, NoArchive>) -> Markup {
    html! {
        @match found {
            Err(why) => {
                p { "There is no download: " (why) "." }
                @if let NoArchive::NotOffered = why {
                    p.quiet { "For the organiser: " code { "log-download = true" } " in the table " code { "[pages]" } " of league.toml makes it available." }
                }
            }
            Ok(public) => {
                p { a.btn.main href=(DOWNLOAD) download { "Download the log" } }
                p {
                    (counted(public.games, "game", "games")) " in " (counted(public.rounds.len(), "round", "rounds"))
                    ", with all cards, moves, corrections and results. Bots, tokens, submissions and standard error are not included."
                }
                @if reading.announced.frozen.is_some() {
                    p { "The standings are frozen, and so is the log: later rounds follow when they are unfrozen." }
                }
                @if let Some(open) = public.open {
                    p { "Round " (open) " is omitted until it is finished, because its seed is still secret." }
                }
                dl.facts { dt { "head" } dd { code.hash { (public.head) } } }
                p { "These commands recompute all of it:" }
                pre.commands {
                    "tar xf league.tar\n"
                    "arbiter verify --head " (public.head) " league\n"
                }
            }
        }
    }
}

fn check() -> Markup {
    html! {
        p { "Choose the archive or one log. Your browser reads it; nothing is sent." }
        noscript { p { "This check needs JavaScript. Without it, use " code { "arbiter verify" } "." } }
        form.fields id="check-log" {
            label for="log-file" { "league.tar, or a log such as games.jsonl" }
            input id="log-file" type="file" accept=".tar,.jsonl,.gz" required;
            label for="log-head" { "Head that you recorded earlier (optional)" }
            input id="log-head" autocomplete="off" spellcheck="false" maxlength="64";
            button.btn type="submit" { "Check" }
        }
        p id="check-state" role="status" {}
        ul id="checks" {}
        h3 { "What this page checks" }
        ul {
            li { "Every line matches its digest and follows the previous line, by SHA-256. A log that was rebuilt as a whole also passes, but has a different head: compare the head with one that was published earlier." }
            li { "Each round with a game is the round that the league's log announced, from the first line to the last." }
            li { "The seed of each round matches the commitment made before its first card." }
        }
        h3 { "What only " code { "arbiter verify" } " checks" }
        ul {
            li { "Every card follows from the seed, and every move, fault and score from the rules." }
            li { "The tables of stages follow from results, and each line is written in the only form that is valid in a log." }
        }
    }
}
