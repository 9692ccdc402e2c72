//! The events of a league as a feed, for all bots or for one, in the format Atom (RFC 4287).

use std::io;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use maud::{PreEscaped, html};

use league::events::StoredEvent;
use report::league::LeagueReport;
use rules::Digest;

/// Most entries of a feed.
pub(super) const MOST: usize = 50;

#[derive(Debug, Clone, Copy)]
pub(super) struct AtomFeed<'a> {
    /// The title of the league.
    pub(super) title: &'a str,
    /// The digest of the first line of the league's log, which names it everywhere.
    pub(super) origin: Digest,
    /// The bot that it is about, if it is not about all.
    pub(super) bot: Option<&'a str>,
    /// The time after which no results are told.
    pub(super) frozen: Option<Timestamp>,
    /// The pages that the entries lead to.
    pub(super) reading: &'a LeagueReport,
}

impl AtomFeed<'_> {
    /// The feed with these events, the newest first. A freeze may have begun since they were read.
    pub(super) fn response(self, events: io::Result<Vec<StoredEvent>>) -> Response {
        match events {
            Ok(mut events) => {
                let is_hidden = |at| self.frozen.is_some_and(|frozen| at > frozen.as_second());
                events.retain(|event| !is_hidden(event.happened.at));
                let kind = (header::CONTENT_TYPE, "application/atom+xml; charset=utf-8");
                (StatusCode::OK, [kind], self.text(&events)).into_response()
            }
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    }

    fn text(self, events: &[StoredEvent]) -> String {
        let AtomFeed { title, origin, bot, reading, .. } = self;
        let time = |at: i64| Timestamp::from_second(at).unwrap_or_default().to_string();
        let title = bot.map_or_else(|| title.to_owned(), |bot| format!("{bot} in {title}"));
        let id = |place: &str| format!("tag:arbiter,2026:{origin}:{place}");
        let updated = events.first().map_or(0, |event| event.happened.at);
        // Relative to the feed, so it holds behind any proxy.
        let root = if bot.is_some() { "../" } else { "./" };
        let link =
            |page: &str| PreEscaped(format!("<link rel=\"alternate\" href=\"{root}{page}\"/>"));
        let body = html! {
            feed xmlns="http://www.w3.org/2005/Atom" {
                title { (title) }
                id { (id(bot.unwrap_or("all"))) }
                updated { (time(updated)) }
                author { name { "arbiter" } }
                (link(""))
                @for StoredEvent { place, happened } in events {
                    entry {
                        title { (happened.event.in_words()) }
                        id { (id(&place.to_string())) }
                        updated { (time(happened.at)) }
                        (link(&reading.page_of(&happened.event)))
                        content type="text" { (happened.event.in_words()) }
                    }
                }
            }
        };
        format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n{}\n", body.into_string())
    }
}
