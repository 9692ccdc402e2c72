//! The entrance for bots to a league: its queue, its participants, and what they may ask for.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::{Extension, RequestPartsExt};
use jiff::Timestamp;
use text::failure::Failure;
use text::printable;
use text::terminal::say;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::answer::{RefusedRequest, blocking};
use crate::body_stream::BodySlots;
use crate::rate_limits::{RateLimit, RateLimiter};
use crate::reviewing::ReviewService;
use crate::shutdown::have_ended;
use crate::sizes::SizeCache;
use league::League;
use league::calendar;
use league::entry::queue::{CheckSlots, SubmissionQueue};
use league::folder::{LeagueError, LeagueFolder};
use league::participants::{Participants, TokenHolder};
use league::test_games::queue::TestGameQueue;
use report::league::reading::Announcements;

/// The requests of an address: a class behind one address has enough.
const REQUESTS: RateLimit = RateLimit { turns: 400, every: Duration::from_millis(20) };
/// The wrong tokens of an address.
pub(crate) const WRONG: RateLimit = RateLimit { turns: 10, every: Duration::from_secs(10) };
/// The registrations of an address, whether or not they succeed: a class behind one address has enough.
const REGISTRATIONS: RateLimit = RateLimit { turns: 60, every: Duration::from_secs(20) };
/// The files of a participant.
const UPLOADS: RateLimit = RateLimit { turns: 20, every: Duration::from_secs(30) };
/// The longest body that is not a file, in bytes.
pub(super) const LONGEST_FORM: usize = 4 << 10;
/// The most files on their way at once; each has at most 256 KiB in memory.
const UPLOADS_AT_ONCE: usize = 128;
/// The room that files on their way may take on the disk together, in KiB.
const UPLOAD_ROOM: usize = 1 << 20;
/// The longest time that a sender waits for a place.
const UPLOAD_PATIENCE: Duration = Duration::from_secs(60);

/// The most downloads of what bots wrote to standard error.
const TEXTS_AT_ONCE: usize = 8;

/// The shortest time between two tries to open a queue.
const AGAIN: Duration = Duration::from_secs(1);

/// The open queues of all leagues that are served, each with a thread that begins checks.
#[derive(Debug)]
pub(crate) struct SubmissionQueues {
    open: Mutex<Vec<(Arc<SubmissionQueue>, JoinHandle<()>)>>,
    pub(super) places: Arc<CheckSlots>,
    /// The test games, which have as many places of their own.
    pub(super) tests: Arc<TestGameQueue>,
}

impl SubmissionQueues {
    /// No queue is open yet. At most this number of submissions are checked at once, in all leagues together.
    pub(crate) fn new(at_once: NonZeroUsize) -> SubmissionQueues {
        let (open, places, tests) =
            (Mutex::default(), CheckSlots::new(at_once), TestGameQueue::new(at_once));
        SubmissionQueues { open, places, tests }
    }

    fn open(&self, folder: LeagueFolder) -> Result<Arc<SubmissionQueue>, Failure> {
        let queue = Arc::new(SubmissionQueue::open(folder, Arc::clone(&self.places))?);
        let worker = Arc::clone(&queue);
        let thread = thread::spawn(move || worker.work());
        self.open.lock().unwrap_or_else(PoisonError::into_inner).push((Arc::clone(&queue), thread));
        Ok(queue)
    }

    /// Closes all queues and ends test games, and returns true if all checks have ended. The next server checks those
    /// that wait.
    pub(crate) fn close(&self) -> bool {
        self.tests.close();
        let open = std::mem::take(&mut *self.open.lock().unwrap_or_else(PoisonError::into_inner));
        open.iter().for_each(|(queue, _)| queue.close());
        // One that has begun others is among the first ones.
        let have_tests_ended = || (0..2).all(|_| have_ended(self.tests.threads().iter()));
        let have_ended = have_ended(open.iter().map(|(_, thread)| thread)) && have_tests_ended();
        if !have_ended {
            open.iter().for_each(|(queue, _)| queue.leave());
        }
        have_ended
    }
}

/// The entrance for bots to a league.
#[derive(Debug)]
pub(crate) struct SubmissionService {
    folder: LeagueFolder,
    pub(super) queues: Arc<SubmissionQueues>,
    queue: OnceLock<Arc<SubmissionQueue>>,
    /// The time of the last try to open the queue that failed, and the reason.
    failed: Mutex<Option<(Instant, String)>>,
    requests: RateLimiter<IpAddr>,
    wrong: RateLimiter<IpAddr>,
    registrations: RateLimiter<IpAddr>,
    pub(super) uploads: RateLimiter<String>,
    pub(super) arrivals: UploadSlots,
    /// The texts of bots that are sent at once.
    pub(super) texts: BodySlots,
    pub(crate) sizes: SizeCache,
    /// Makes reviews of games, if participants can ask for them.
    pub(super) reviewing: Option<Arc<ReviewService>>,
}

impl SubmissionService {
    /// A league whose queue is not open yet.
    pub(crate) fn new(
        folder: LeagueFolder,
        queues: Arc<SubmissionQueues>,
        reviewing: Option<Arc<ReviewService>>,
    ) -> Arc<SubmissionService> {
        Arc::new(SubmissionService {
            folder,
            queues,
            queue: OnceLock::new(),
            failed: Mutex::default(),
            requests: RateLimiter::new(REQUESTS),
            wrong: RateLimiter::new(WRONG),
            registrations: RateLimiter::new(REGISTRATIONS),
            uploads: RateLimiter::new(UPLOADS),
            arrivals: UploadSlots::new(),
            texts: BodySlots::new(TEXTS_AT_ONCE),
            sizes: SizeCache::default(),
            reviewing,
        })
    }

    /// Opens the queue, unless it is open. This reads files.
    pub(crate) fn open(&self) -> Result<Arc<SubmissionQueue>, Failure> {
        // One at a time: two queues would check the same submissions.
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = self.queue.get() {
            return Ok(Arc::clone(queue));
        }
        match self.queues.open(self.folder.clone()) {
            Ok(queue) => Ok(Arc::clone(self.queue.get_or_init(|| queue))),
            Err(problem) => {
                *failed = Some((Instant::now(), problem.to_string()));
                Err(problem)
            }
        }
    }

    pub(crate) fn opened(&self) -> Option<Arc<SubmissionQueue>> {
        self.queue.get().cloned()
    }

    /// Returns the queue, which is opened if it can be by now.
    pub(crate) async fn queue(self: &Arc<Self>) -> Result<Arc<SubmissionQueue>, RefusedRequest> {
        if let Some(queue) = self.queue.get() {
            return Ok(Arc::clone(queue));
        }
        let state = Arc::clone(self);
        blocking(move || {
            let last = state.failed.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let closed = || {
                let why = "this league does not accept submissions now: ask the organiser";
                RefusedRequest::later(StatusCode::SERVICE_UNAVAILABLE, why, 30)
            };
            if last.as_ref().is_some_and(|(at, _)| at.elapsed() < AGAIN) {
                return Err(closed());
            }
            state.open().map_err(|problem| {
                if last.is_none_or(|(_, told)| told != problem.to_string()) {
                    say(format!("warning: {problem}"));
                }
                closed()
            })
        })
        .await
    }

    /// Returns the participant whose token the request has; none for a request without a token.
    pub(super) async fn participant(
        self: &Arc<Self>,
        request: &RequestContext,
    ) -> Result<Option<SignedInParticipant>, RefusedRequest> {
        let Some(token) = &request.token else { return Ok(None) };
        let (all, by) = self.with_token(token.clone(), request.address).await?;
        let is_own = |bot: &String| all.owner(bot) == Some(&by.participant);
        let bot = match &request.bot {
            Some(BotChoice::Named(bot)) if !is_own(bot) => {
                let why = format!("`{}` is not your bot", printable(bot));
                return Err(RefusedRequest::new(StatusCode::FORBIDDEN, why));
            }
            Some(BotChoice::Named(bot) | BotChoice::Kept(bot)) if is_own(bot) => bot.clone(),
            // A browser may keep the name of a bot that is gone.
            _ => by.participant.clone(),
        };
        Ok(Some(SignedInParticipant { by, bot }))
    }

    /// Returns the participant whose token the request has.
    pub(super) async fn signed_in(
        self: &Arc<Self>,
        request: &RequestContext,
    ) -> Result<SignedInParticipant, RefusedRequest> {
        self.participant(request).await?.ok_or_else(|| {
            let why = "sign in with your token to see this page";
            RefusedRequest::new(StatusCode::UNAUTHORIZED, why)
        })
    }

    pub(crate) async fn with_token(
        self: &Arc<Self>,
        token: String,
        from: IpAddr,
    ) -> Result<(Participants, TokenHolder), RefusedRequest> {
        let state = Arc::clone(self);
        let found = blocking(move || {
            let all = Participants::read(&state.folder).map_err(RefusedRequest::ours)?;
            Ok(all.with_token(&token).map(|by| (all, by)))
        });
        match found.await? {
            Some(found) => Ok(found),
            None => {
                // Only wrong ones are counted: 256 bits are not found by trying.
                self.count_wrong(from)?;
                Err(RefusedRequest::new(
                    StatusCode::UNAUTHORIZED,
                    "invalid token: ask the organiser for a new one",
                ))
            }
        }
    }

    pub(crate) fn folder(&self) -> &LeagueFolder {
        &self.folder
    }

    /// Returns the league as it is now. This may read files.
    pub(crate) fn league(&self) -> Result<Arc<League>, LeagueError> {
        self.folder.read()
    }

    /// Counts a request of an address before anything is done for it.
    pub(crate) fn count_request(&self, from: IpAddr) -> Result<(), RefusedRequest> {
        Ok(self.requests.take(from, Instant::now())?)
    }

    /// Counts an address that registers, before its code is looked at.
    pub(crate) fn count_registration(&self, from: IpAddr) -> Result<(), RefusedRequest> {
        Ok(self.registrations.take(from, Instant::now())?)
    }

    /// Counts a wrong token or code of an address.
    pub(crate) fn count_wrong(&self, from: IpAddr) -> Result<(), RefusedRequest> {
        Ok(self.wrong.take(from, Instant::now())?)
    }
}

#[derive(Debug, Clone)]
pub(super) struct RequestContext {
    pub(super) address: IpAddr,
    pub(super) token: Option<String>,
    pub(super) bot: Option<BotChoice>,
    pub(super) queue: Arc<SubmissionQueue>,
}

impl FromRequestParts<Arc<SubmissionService>> for SignedInParticipant {
    type Rejection = RefusedRequest;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &Arc<SubmissionService>,
    ) -> Result<SignedInParticipant, RefusedRequest> {
        let request = parts.extract::<Extension<RequestContext>>().await;
        let Extension(request) = request.map_err(RefusedRequest::ours)?;
        state.signed_in(&request).await
    }
}

/// The bot that a request is about, if it names one.
#[derive(Debug, Clone)]
pub(super) enum BotChoice {
    Named(String),
    /// The browser keeps the name.
    Kept(String),
}

/// The sender of a request with a token.
#[derive(Debug, Clone)]
pub(super) struct SignedInParticipant {
    pub(super) by: TokenHolder,
    /// The bot that the request is about: the one with the name of the participant, unless it names another one.
    pub(super) bot: String,
}

/// The announcements of a league, by its last calendar that was right.
pub(crate) fn announced(queue: &SubmissionQueue) -> Announcements {
    match queue.terms() {
        Ok((terms, _)) => Announcements::with_calendar(queue.folder(), terms.calendar().clone()),
        Err(_) => Announcements::read_or_default(queue.folder()),
    }
}

/// The time of which pages show the league, if they stand still. Participants see no later game of their own bots either.
pub(super) fn frozen(queue: &SubmissionQueue) -> Result<Option<Timestamp>, RefusedRequest> {
    let (terms, _) = queue.terms().map_err(RefusedRequest::ours)?;
    Ok(terms.calendar().frozen(calendar::now()))
}

#[derive(Debug)]
pub(super) struct UploadSlots {
    places: Semaphore,
    room: Semaphore,
    /// The participants who are sending a file just now.
    senders: Mutex<BTreeSet<String>>,
}

impl UploadSlots {
    pub(super) fn new() -> UploadSlots {
        UploadSlots {
            places: Semaphore::new(UPLOADS_AT_ONCE),
            room: Semaphore::new(UPLOAD_ROOM),
            senders: Mutex::default(),
        }
    }

    fn senders(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.senders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn begin(&self, name: &str) -> Result<ActiveSender<'_>, RefusedRequest> {
        match self.senders().insert(name.to_owned()) {
            true => Ok(ActiveSender { all: self, name: name.to_owned() }),
            false => {
                let why = "you already have an upload in progress";
                Err(RefusedRequest::later(StatusCode::CONFLICT, why, 10))
            }
        }
    }

    /// Waits for a place for a file of at most this many bytes, and for room on the disk.
    pub(super) async fn place(
        &self,
        bytes: u64,
    ) -> Result<[SemaphorePermit<'_>; 2], RefusedRequest> {
        let room = u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX);
        let both = async {
            let place = self.places.acquire().await.ok()?;
            let room = self.room.acquire_many(room).await.ok()?;
            Some([place, room])
        };
        tokio::time::timeout(UPLOAD_PATIENCE, both).await.ok().flatten().ok_or_else(|| {
            let why = "too many uploads at once: try again later";
            RefusedRequest::later(StatusCode::SERVICE_UNAVAILABLE, why, 10)
        })
    }
}

/// A participant who is sending a file, one at a time.
pub(super) struct ActiveSender<'a> {
    all: &'a UploadSlots,
    name: String,
}

impl Drop for ActiveSender<'_> {
    fn drop(&mut self) {
        self.all.senders().remove(&self.name);
    }
}
