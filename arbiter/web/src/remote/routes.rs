//! The wire of remote bots: what their clients ask over HTTP.

use std::collections::{BTreeMap, HashSet};
use std::convert::Infallible;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::{Extensions, HeaderMap, StatusCode};
use axum::middleware;
use axum::response::Response;
use axum::routing::{get, post};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::hub::{Hub, PollNumber, PollResult, RefusedAnswer};
use super::shared_hub::SharedHub;
#[cfg(unix)]
use super::socket::GameSocket;
use crate::client_address;
use crate::rate_limits::{RateLimit, RateLimiter};
use crate::submissions::answer::{RefusedRequest, as_json, blocking, write_refusals};
use crate::submissions::state::{SubmissionService, WRONG};
use bot::BotSpec;
use bot::launch_target::REMOTE;
use bot::manifest::ProgramMode;
use league::audit;
use league::entry::queue::RemoteReplacementRule;
use league::participants::TokenHolder;
#[cfg(unix)]
use league::remote::SOCKET;
use league::settings;
use league::state::Membership;
use rules::Dialect;
use text::failure::Failure;

const VERSION: u32 = 1;

/// The longest body of a request, in bytes.
const LONGEST_BODY: usize = 256 << 10;

/// The longest wait of a poll.
const LONGEST_WAIT: Duration = Duration::from_secs(25);

/// The most requests that a client can name in a poll.
const MOST_WORKING: usize = 1_000;

/// The longest time for the body of a request.
const BODY_TIME: Duration = Duration::from_secs(30);

const CALLS: RateLimit = RateLimit { turns: 4_000, every: Duration::from_micros(500) };

/// The calls of an address with tokens that have not been right yet: a class behind one address has enough.
const UNKNOWN: RateLimit = RateLimit { turns: 200, every: Duration::from_millis(100) };

/// The most tokens that are known to have been right.
const MOST_KNOWN: usize = 20_000;

/// Why a league refuses a remote bot.
const TAKES_NONE: &str = "this league takes no remote bots: ask the organiser";

/// What a client is told about the games of its bot.
#[derive(Debug, Clone, Serialize)]
pub struct GamesOffer {
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

#[derive(Debug)]
pub(super) struct ClientEntrance {
    hub: Arc<SharedHub>,
    /// The socket in the folder of a league at which games are handed over, once there is one.
    #[cfg(unix)]
    games: Mutex<Option<GameSocket>>,
    tokens: AcceptedTokens,
    calls: RateLimiter<String>,
    known: KnownTokens,
}

/// The tokens that have been right: looking others up costs time, so the calls with them are counted before.
#[derive(Debug)]
pub(super) struct KnownTokens {
    digests: Mutex<HashSet<u64>>,
    hasher: RandomState,
    unknown: RateLimiter<IpAddr>,
}

impl KnownTokens {
    pub(super) fn new() -> KnownTokens {
        let unknown = RateLimiter::new(UNKNOWN);
        KnownTokens { digests: Mutex::default(), hasher: RandomState::new(), unknown }
    }

    /// Counts a call of an address, unless its token has been right before.
    pub(super) fn count(&self, token: &str, from: IpAddr) -> Result<(), RefusedRequest> {
        match self.digests().contains(&self.hasher.hash_one(token)) {
            true => Ok(()),
            false => Ok(self.unknown.take(from, Instant::now())?),
        }
    }

    pub(super) fn was_right(&self, token: &str) {
        let mut digests = self.digests();
        if digests.len() >= MOST_KNOWN {
            digests.clear();
        }
        digests.insert(self.hasher.hash_one(token));
    }

    fn digests(&self) -> MutexGuard<'_, HashSet<u64>> {
        self.digests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
enum AcceptedTokens {
    OfMatch {
        /// The bot of each token, with what its client is told.
        bots: BTreeMap<String, (String, GamesOffer)>,
        wrong: RateLimiter<IpAddr>,
    },
    OfLeague(Arc<SubmissionService>),
}

struct CallingBot {
    name: String,
    /// The version that plays; none if the bot has not entered as a remote one.
    entered: Option<String>,
    /// The mode of the version that plays.
    mode: Option<ProgramMode>,
    offer: GamesOffer,
}

impl ClientEntrance {
    pub(super) fn of_match(
        hub: Arc<SharedHub>,
        bots: BTreeMap<String, (String, GamesOffer)>,
    ) -> Arc<ClientEntrance> {
        let tokens = AcceptedTokens::OfMatch { bots, wrong: RateLimiter::new(WRONG) };
        Arc::new(ClientEntrance::new(hub, tokens))
    }

    pub(super) fn of_league(
        hub: Arc<SharedHub>,
        league: Arc<SubmissionService>,
    ) -> Arc<ClientEntrance> {
        Arc::new(ClientEntrance::new(hub, AcceptedTokens::OfLeague(league)))
    }

    fn new(hub: Arc<SharedHub>, tokens: AcceptedTokens) -> ClientEntrance {
        ClientEntrance {
            hub,
            #[cfg(unix)]
            games: Mutex::default(),
            tokens,
            calls: RateLimiter::new(CALLS),
            known: KnownTokens::new(),
        }
    }

    /// Takes games of a league from now on, if it does not yet.
    #[cfg(unix)]
    pub(super) fn take_games(&self) -> io::Result<()> {
        let AcceptedTokens::OfLeague(league) = &self.tokens else { return Ok(()) };
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        if games.is_none() {
            let path = league.folder().path().join(SOCKET);
            *games = Some(GameSocket::listen(&path, Arc::clone(&self.hub))?);
        }
        Ok(())
    }

    #[cfg(not(unix))]
    pub(super) fn take_games(&self) -> io::Result<()> {
        Err(io::Error::other("remote bots need a Unix system"))
    }

    /// The participant of a league whose token a request has; the call is counted.
    async fn holder(
        &self,
        league: &Arc<SubmissionService>,
        headers: &HeaderMap,
        extensions: &Extensions,
    ) -> Result<TokenHolder, RefusedRequest> {
        let token = client_address::token(headers).unwrap_or_default().to_owned();
        let from = client_address::address(headers, extensions);
        self.known.count(&token, from)?;
        let (_, holder) = league.with_token(token.clone(), from).await?;
        self.known.was_right(&token);
        self.calls.take(holder.participant.clone(), Instant::now())?;
        Ok(holder)
    }

    /// The bot whose token a request has.
    async fn bot(
        &self,
        headers: &HeaderMap,
        extensions: &Extensions,
    ) -> Result<CallingBot, RefusedRequest> {
        let token = client_address::token(headers).unwrap_or_default();
        let bot = match &self.tokens {
            AcceptedTokens::OfMatch { bots, wrong } => {
                // To look one up costs nothing here.
                let Some((name, offer)) = bots.get(token) else {
                    wrong.take(client_address::address(headers, extensions), Instant::now())?;
                    let why = "unknown token: use the file that the referee wrote";
                    return Err(RefusedRequest::new(StatusCode::UNAUTHORIZED, why));
                };
                self.calls.take(name.clone(), Instant::now())?;
                let (name, entered) = (name.clone(), Some(name.clone()));
                CallingBot { name, entered, mode: Some(ProgramMode::Remote), offer: offer.clone() }
            }
            AcceptedTokens::OfLeague(league) => {
                let by = self.holder(league, headers, extensions).await?;
                let league = Arc::clone(league);
                let bot = blocking(move || of_participant(&league, by.participant)).await?;
                self.take_games().map_err(RefusedRequest::ours)?;
                bot
            }
        };
        Ok(bot)
    }

    /// The same, if it has entered.
    async fn entered_bot(
        &self,
        headers: &HeaderMap,
        extensions: &Extensions,
    ) -> Result<String, RefusedRequest> {
        let AcceptedTokens::OfLeague(league) = &self.tokens else {
            return Ok(self.bot(headers, extensions).await?.name);
        };
        // A mistake in the settings of the league must not cost a bot its game, so they are not read here.
        let by = self.holder(league, headers, extensions).await?;
        let page = Arc::clone(league);
        let entered = blocking(move || {
            let league = page.league().map_err(RefusedRequest::ours)?;
            let active =
                league.current(&by.participant).filter(|it| it.membership == Membership::Active);
            match active.filter(|member| member.entry.mode == ProgramMode::Remote) {
                Some(_) => Ok(by.participant),
                None => {
                    let name = by.participant;
                    let why = format!("`{name}` has not entered as a remote bot: enter it first");
                    Err(RefusedRequest::new(StatusCode::FORBIDDEN, why))
                }
            }
        });
        let entered = entered.await?;
        self.take_games().map_err(RefusedRequest::ours)?;
        Ok(entered)
    }

    /// The same, if the league still takes remote bots, or the bot has a game that goes on.
    async fn playing_bot(
        &self,
        headers: &HeaderMap,
        extensions: &Extensions,
    ) -> Result<String, RefusedRequest> {
        let name = self.entered_bot(headers, extensions).await?;
        if let AcceptedTokens::OfLeague(league) = &self.tokens
            && !self.hub.with(|hub| hub.has_games(&name))
        {
            let league = Arc::clone(league);
            let is_refused = blocking(move || Ok(matches!(league.folder().remote(), Ok(None))));
            if is_refused.await? {
                return Err(RefusedRequest::new(StatusCode::FORBIDDEN, TAKES_NONE));
            }
        }
        Ok(name)
    }
}

fn of_participant(league: &SubmissionService, name: String) -> Result<CallingBot, RefusedRequest> {
    let folder = league.folder();
    let failed = |failure: Failure| RefusedRequest::ours(failure);
    let Some(terms) = folder.remote().map_err(failed)? else {
        return Err(RefusedRequest::new(StatusCode::FORBIDDEN, TAKES_NONE));
    };
    let league = league.league().map_err(RefusedRequest::ours)?;
    let current = league.current(&name).filter(|it| it.membership == Membership::Active);
    let entry =
        current.map(|member| &member.entry).filter(|entry| entry.mode == ProgramMode::Remote);
    let limits = settings::load(folder, &league).map_err(failed)?.settings.conditions.limits;
    let limits = BotSpec::new(&name, REMOTE, Dialect::Native, ProgramMode::Remote)
        .map(|bot| limits.for_bot(&name, &bot))
        .map_err(failed)?;
    let offer = GamesOffer {
        game: league.kind().name().to_owned(),
        time_ms: terms.limits(limits).time_ms(),
        grace_ms: u64::try_from(terms.grace.as_millis()).unwrap_or(u64::MAX),
        games: terms.games,
        answer_bytes: limits.answer_bytes,
    };
    let entered = entry.map(|entry| entry.bot.to_string());
    let mode = current.map(|member| member.entry.mode);
    Ok(CallingBot { name, entered, mode, offer })
}

/// The routes, below the address of a match or a league.
pub(super) fn routes(entrance: Arc<ClientEntrance>) -> Router {
    Router::new()
        .route("/remote/v1", get(offer))
        .route("/remote/v1/enter", post(enter))
        .route("/remote/v1/next", post(next))
        .route("/remote/v1/answer", post(answer))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(middleware::from_fn(write_refusals))
        .with_state(entrance)
}

async fn offer(
    State(entrance): State<Arc<ClientEntrance>>,
    extensions: Extensions,
    headers: HeaderMap,
) -> Result<Response, RefusedRequest> {
    let CallingBot { name, entered, mode, offer } = entrance.bot(&headers, &extensions).await?;
    let is_in = entered.is_some();
    let mut told = json!({ "version": VERSION, "bot": entered.unwrap_or(name), "entered": is_in });
    told["mode"] = json!(mode);
    if let Ok(serde_json::Value::Object(offer)) = serde_json::to_value(offer) {
        offer.into_iter().for_each(|(key, value)| told[key] = value);
    }
    Ok(as_json(StatusCode::OK, &told))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EnterBody {
    #[serde(default)]
    replace: bool,
}

/// Enters the bot of a participant as a remote one.
async fn enter(
    State(entrance): State<Arc<ClientEntrance>>,
    extensions: Extensions,
    headers: HeaderMap,
    body: ReceivedBody,
) -> Result<Response, RefusedRequest> {
    let AcceptedTokens::OfLeague(league) = &entrance.tokens else {
        let why = "bots cannot enter here: this is a match, not a league";
        return Err(RefusedRequest::new(StatusCode::NOT_FOUND, why));
    };
    let holder = entrance.holder(league, &headers, &extensions).await?;
    let old = match body.read()? {
        EnterBody { replace: true } => RemoteReplacementRule::IsReplaced,
        EnterBody { replace: false } => RemoteReplacementRule::Stays,
    };
    let queue = league.queue().await?;
    let bot = blocking(move || {
        let bot = queue.enter_remote(&holder, old)?;
        audit::add_of_participant(queue.folder(), &holder, "enter", &bot.to_string());
        Ok(bot)
    });
    Ok(as_json(StatusCode::OK, &json!({ "bot": bot.await? })))
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
    State(entrance): State<Arc<ClientEntrance>>,
    extensions: Extensions,
    headers: HeaderMap,
    body: ReceivedBody,
) -> Result<Response, RefusedRequest> {
    let bot = entrance.playing_bot(&headers, &extensions).await?;
    let NextBody { wait, working, after, games } = body.read()?;
    if working.len() > MOST_WORKING {
        let why = format!("`working` has more than {MOST_WORKING} requests");
        return Err(RefusedRequest::new(StatusCode::BAD_REQUEST, why));
    }
    let wait = Duration::try_from_secs_f64(wait).map_err(|_| {
        RefusedRequest::new(StatusCode::BAD_REQUEST, "`wait` must be a number of seconds")
    })?;
    let poll = |hub: &mut Hub| hub.poll(&bot, &working, games, Instant::now());
    // It ends an older one.
    let number = entrance.hub.change(&bot, poll);
    let poll = OpenPoll { hub: Arc::clone(&entrance.hub), bot, number };
    let taken = poll.wait(after, wait.min(LONGEST_WAIT)).await;
    Ok(as_json(StatusCode::OK, &json!(taken)))
}

/// A poll that ends when its client is gone.
struct OpenPoll {
    hub: Arc<SharedHub>,
    bot: String,
    number: PollNumber,
}

impl OpenPoll {
    async fn wait(&self, after: Option<u64>, wait: Duration) -> PollResult {
        let until = tokio::time::Instant::now() + wait;
        let polls = self.hub.polls(&self.bot);
        loop {
            let changed = polls.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            let now = Instant::now();
            let is_over = tokio::time::Instant::now() >= until;
            let take = |hub: &mut Hub| hub.take(&self.bot, self.number, after, now);
            if let Some(taken) = self.hub.change_quietly(&self.bot, take) {
                return taken;
            }
            if is_over {
                let last = self.hub.with(Hub::last_event);
                return PollResult { last, ..PollResult::default() };
            }
            // What comes in the last moment is taken as well.
            let _ = tokio::time::timeout_at(until, changed).await;
        }
    }
}

impl Drop for OpenPoll {
    fn drop(&mut self) {
        let end = |hub: &mut Hub| hub.end_poll(&self.bot, self.number, Instant::now());
        self.hub.change_quietly(&self.bot, end);
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
    State(entrance): State<Arc<ClientEntrance>>,
    extensions: Extensions,
    headers: HeaderMap,
    body: ReceivedBody,
) -> Result<Response, RefusedRequest> {
    // The whole answer has arrived.
    let now = Instant::now();
    let bot = entrance.entered_bot(&headers, &extensions).await?;
    let AnswerBody { id, answer, stderr } = body.read()?;
    // It may give way to a game that waits.
    let take = |hub: &mut Hub| hub.answer(&bot, &id, answer, stderr, now);
    let state = entrance.hub.change(&bot, take).map_err(|refused| match refused {
        RefusedAnswer::Unknown => {
            RefusedRequest::new(StatusCode::NOT_FOUND, "unknown request: drop it")
        }
        RefusedAnswer::Another => {
            let why = "this request has already been answered: the first answer counts";
            RefusedRequest::new(StatusCode::CONFLICT, why)
        }
    })?;
    Ok(as_json(StatusCode::OK, &json!({ "state": state })))
}

/// The body of a request, if all of it has come in time.
pub(super) struct ReceivedBody(Result<Bytes, RefusedRequest>);

impl<S: Send + Sync> FromRequest<S> for ReceivedBody {
    type Rejection = Infallible;

    async fn from_request(request: Request, state: &S) -> Result<ReceivedBody, Infallible> {
        Ok(ReceivedBody::within(BODY_TIME, request, state).await)
    }
}

impl ReceivedBody {
    pub(super) async fn within<S: Send + Sync>(
        time: Duration,
        request: Request,
        state: &S,
    ) -> ReceivedBody {
        let whole = tokio::time::timeout(time, Bytes::from_request(request, state)).await;
        ReceivedBody(match whole {
            Err(_) => {
                let why = "the body took too long: send it again";
                Err(RefusedRequest::new(StatusCode::REQUEST_TIMEOUT, why))
            }
            Ok(body) => body.map_err(|error| match error.status() {
                StatusCode::PAYLOAD_TOO_LARGE => {
                    let why = format!("the body is longer than {} KiB", LONGEST_BODY >> 10);
                    RefusedRequest::new(StatusCode::PAYLOAD_TOO_LARGE, why)
                }
                status => RefusedRequest::new(status, "the body was cut off"),
            }),
        })
    }

    pub(super) fn read<T: DeserializeOwned>(self) -> Result<T, RefusedRequest> {
        serde_json::from_slice(&self.0?)
            .map_err(|error| RefusedRequest::new(StatusCode::BAD_REQUEST, error.to_string()))
    }
}
