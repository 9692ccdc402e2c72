//! The wire of remote bots: what their clients ask over HTTP.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{Extensions, HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::RemoteHub;
use super::hub::{PollNumber, RefusedAnswer, Taken};
use crate::rate_limits::{RateLimit, RateLimiter};
use crate::sender;
use crate::submissions::answer::{RefusedRequest, as_json};

/// The version of the wire.
const VERSION: u32 = 1;

/// The longest body of a request, in bytes.
const LONGEST_BODY: usize = 256 << 10;

/// The longest wait of a poll.
const LONGEST_WAIT: Duration = Duration::from_secs(25);

/// The most requests that a client can name in a poll.
const MOST_WORKING: usize = 1_000;

/// The calls of a bot.
const CALLS: RateLimit = RateLimit { turns: 1_000, every: Duration::from_millis(2) };

/// The wrong tokens of an address.
const WRONG: RateLimit = RateLimit { turns: 10, every: Duration::from_secs(10) };

/// What a client is told about the games of its bot.
#[derive(Debug, Clone, Serialize)]
pub struct GamesOffer {
    /// The name of the game.
    pub game: String,
    /// The time for a move, in milliseconds.
    pub time_ms: u64,
    /// The time of a game for lost connections, in milliseconds.
    pub grace_ms: u64,
    /// The most games in which the bot is asked at once.
    pub games: u32,
    /// The most bytes of an answer.
    pub answer_bytes: usize,
}

/// The entrance for clients.
#[derive(Debug)]
pub(super) struct Entrance {
    pub(super) hub: Arc<RemoteHub>,
    /// The bot of each token.
    pub(super) bots: BTreeMap<String, String>,
    pub(super) offer: GamesOffer,
    calls: RateLimiter<String>,
    wrong: RateLimiter<std::net::IpAddr>,
}

impl Entrance {
    pub(super) fn new(
        hub: Arc<RemoteHub>,
        bots: BTreeMap<String, String>,
        offer: GamesOffer,
    ) -> Arc<Entrance> {
        let (calls, wrong) = (RateLimiter::new(CALLS), RateLimiter::new(WRONG));
        Arc::new(Entrance { hub, bots, offer, calls, wrong })
    }

    /// The bot whose token a request has.
    fn bot(&self, headers: &HeaderMap, extensions: &Extensions) -> Result<&str, RefusedRequest> {
        let now = Instant::now();
        let token = sender::token(headers).unwrap_or_default();
        let Some(bot) = self.bots.get(token) else {
            self.wrong.take(sender::address(headers, extensions), now)?;
            let why = "unknown token: use the file that this match has written";
            return Err(RefusedRequest::new(StatusCode::UNAUTHORIZED, why));
        };
        self.calls.take(bot.clone(), now)?;
        Ok(bot)
    }
}

/// The routes, below the address of a match or a league.
pub(super) fn routes(entrance: Arc<Entrance>) -> Router {
    Router::new()
        .route("/remote/v1", get(offer))
        .route("/remote/v1/next", post(next))
        .route("/remote/v1/answer", post(answer))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .with_state(entrance)
}

async fn offer(
    State(entrance): State<Arc<Entrance>>,
    extensions: Extensions,
    headers: HeaderMap,
) -> Response {
    let answer = entrance.bot(&headers, &extensions).map(|bot| {
        let mut told = json!({ "version": VERSION, "bot": bot, "entered": true, "mode": "remote" });
        if let Ok(serde_json::Value::Object(offer)) = serde_json::to_value(&entrance.offer) {
            offer.into_iter().for_each(|(key, value)| told[key] = value);
        }
        told
    });
    answered(&headers, answer)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NextBody {
    #[serde(default)]
    wait: f64,
    #[serde(default)]
    working: Vec<String>,
    #[serde(default)]
    after: Option<u64>,
    #[serde(default)]
    games: Option<u32>,
}

async fn next(
    State(entrance): State<Arc<Entrance>>,
    extensions: Extensions,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let asked = entrance.bot(&headers, &extensions).and_then(|bot| {
        let NextBody { wait, working, after, games } = read(&body)?;
        if working.len() > MOST_WORKING {
            let why = format!("`working` has more than {MOST_WORKING} requests");
            return Err(RefusedRequest::new(StatusCode::BAD_REQUEST, why));
        }
        let wait = Duration::try_from_secs_f64(wait).map_err(|_| {
            RefusedRequest::new(StatusCode::BAD_REQUEST, "`wait` is no number of seconds")
        })?;
        let number = entrance.hub.change(|hub| hub.poll(bot, &working, games, Instant::now()));
        Ok((bot.to_owned(), number, after, wait.min(LONGEST_WAIT)))
    });
    let taken = match asked {
        Err(refusal) => Err(refusal),
        Ok((bot, number, after, wait)) => {
            let poll = OpenPoll { hub: Arc::clone(&entrance.hub), bot, number };
            Ok(poll.wait(after, wait).await)
        }
    };
    answered(&headers, taken.map(|taken| json!(taken)))
}

/// A poll that ends when its client is gone.
struct OpenPoll {
    hub: Arc<RemoteHub>,
    bot: String,
    number: PollNumber,
}

impl OpenPoll {
    async fn wait(&self, after: Option<u64>, wait: Duration) -> Taken {
        let until = tokio::time::Instant::now() + wait;
        loop {
            let changed = self.hub.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            let now = Instant::now();
            let is_over = tokio::time::Instant::now() >= until;
            let (taken, last) = self
                .hub
                .with(|hub| (hub.take(&self.bot, self.number, after, now), hub.last_event()));
            if let Some(taken) = taken {
                // The clocks of the requests have started.
                self.hub.changed.notify_waiters();
                return taken;
            }
            if is_over {
                return Taken { last, ..Taken::default() };
            }
            // What comes in the last moment is taken as well.
            let _ = tokio::time::timeout_at(until, changed).await;
        }
    }
}

impl Drop for OpenPoll {
    fn drop(&mut self) {
        self.hub.change(|hub| hub.end_poll(&self.bot, self.number, Instant::now()));
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerBody {
    id: String,
    answer: String,
    #[serde(default)]
    stderr: String,
}

async fn answer(
    State(entrance): State<Arc<Entrance>>,
    extensions: Extensions,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let state = entrance.bot(&headers, &extensions).and_then(|bot| {
        let AnswerBody { id, answer, stderr } = read(&body)?;
        let now = Instant::now();
        let state = entrance.hub.change(|hub| hub.answer(bot, &id, answer, stderr, now));
        state.map_err(|refused| match refused {
            RefusedAnswer::Unknown => {
                RefusedRequest::new(StatusCode::NOT_FOUND, "unknown request: drop it")
            }
            RefusedAnswer::Another => {
                let why = "another answer to this request counts: the first one";
                RefusedRequest::new(StatusCode::CONFLICT, why)
            }
        })
    });
    answered(&headers, state.map(|state| json!({ "state": state })))
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, RefusedRequest> {
    serde_json::from_slice(body)
        .map_err(|error| RefusedRequest::new(StatusCode::BAD_REQUEST, error.to_string()))
}

fn answered(headers: &HeaderMap, answer: Result<serde_json::Value, RefusedRequest>) -> Response {
    match answer {
        Ok(value) => as_json(StatusCode::OK, &value),
        Err(refusal) => refusal.into_answer(headers),
    }
}
