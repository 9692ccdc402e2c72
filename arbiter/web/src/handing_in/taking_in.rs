//! Takes in files of participants: each is told its place, or refused before it is read.
//!
//! The number of files on their way has a bound, and so has the room that they take together. A sender beyond
//! that waits for a moment; a slow one is cut off ([`upload`]). Only files that are taken count for the rate
//! of their participant.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Extension;
use axum::body::{Body, BodyDataStream};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use rules::Digest;
use sandbox::unfinished;
use serde::Deserialize;
use tempfile::NamedTempFile;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::answer::{self, Refusal, as_json};
use super::{HandingIn, RequestContext, in_thread, upload};
use crate::guest;
use contest::calendar;
use league::entry::queue::Standing;
use league::folder::LeagueFolder;
use league::submissions::{self, Arrival, NotTaken, Submission};

/// The most files on their way at once; each has at most 256 KiB in memory.
const AT_ONCE: usize = 128;
/// The room that files on their way may take on the disk together, in KiB.
const ROOM: usize = 1 << 20;
/// The longest time that a sender waits for a place.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most bytes that are read of a refused body: of a participant's, and of a stranger's.
const DRAINED: (u64, u64) = (32 << 20, 1 << 20);

/// The files that are on their way.
#[derive(Debug)]
pub(super) struct Arrivals {
    places: Semaphore,
    room: Semaphore,
    /// The participants who are sending a file just now.
    senders: Mutex<BTreeSet<String>>,
}

/// A participant who is sending a file, one at a time.
struct Sending<'a> {
    all: &'a Arrivals,
    name: String,
}

/// A place for a file that is sent, with room on the disk.
struct Place<'a> {
    _place: SemaphorePermit<'a>,
    _room: SemaphorePermit<'a>,
}

impl Arrivals {
    pub(super) fn new() -> Arrivals {
        Arrivals {
            places: Semaphore::new(AT_ONCE),
            room: Semaphore::new(ROOM),
            senders: Mutex::default(),
        }
    }

    fn senders(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.senders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, name: &str) -> Result<Sending<'_>, Refusal> {
        match self.senders().insert(name.to_owned()) {
            true => Ok(Sending { all: self, name: name.to_owned() }),
            false => {
                let why = "you already have an upload in progress";
                Err(Refusal::later(StatusCode::CONFLICT, why, 10))
            }
        }
    }

    /// Waits for a place for a file of at most this many bytes.
    async fn place(&self, bytes: u64) -> Result<Place<'_>, Refusal> {
        let room = u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX);
        let both = async {
            let place = self.places.acquire().await.ok()?;
            let room = self.room.acquire_many(room).await.ok()?;
            Some(Place { _place: place, _room: room })
        };
        tokio::time::timeout(PATIENCE, both).await.ok().flatten().ok_or_else(|| {
            let why = "too many uploads at once: try again later";
            Refusal::later(StatusCode::SERVICE_UNAVAILABLE, why, 10)
        })
    }
}

impl Drop for Sending<'_> {
    fn drop(&mut self) {
        self.all.senders().remove(&self.name);
    }
}

/// The parameters of a request with a file.
#[derive(Debug, Deserialize)]
pub(super) struct Sent {
    file: Option<String>,
}

pub(super) async fn hand_in(
    State(state): State<Arc<HandingIn>>,
    Extension(asked): Extension<RequestContext>,
    Query(sent): Query<Sent>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let mut stream = body.into_data_stream();
    let name = match participant(&state, &asked).await {
        Ok(name) => name,
        Err(refusal) => {
            upload::drain(&mut stream, DRAINED.1).await;
            return refusal.told(&headers);
        }
    };
    match taken_in(&state, &asked, &headers, (name, sent.file), &mut stream).await {
        Err(refusal) => {
            if !refusal.is_timeout() {
                upload::drain(&mut stream, DRAINED.0).await;
            }
            refusal.told(&headers)
        }
        Ok((submission, _)) if guest::wants_page(&headers) => {
            Redirect::to(&format!("submissions/{}", submission.number)).into_response()
        }
        Ok((submission, standing)) => {
            as_json(StatusCode::ACCEPTED, &answer::own(&submission, standing))
        }
    }
}

/// The sender of a file, and the digest of the token that came with it.
async fn participant(
    state: &Arc<HandingIn>,
    asked: &RequestContext,
) -> Result<(String, Digest), Refusal> {
    match (state.participant(asked).await?, &asked.token) {
        (Some(name), Some(token)) => Ok((name, Digest::hash(token.as_bytes()))),
        _ => {
            let why = "token required: -H 'Authorization: Bearer TOKEN'";
            Err(Refusal::new(StatusCode::UNAUTHORIZED, why))
        }
    }
}

async fn taken_in(
    state: &Arc<HandingIn>,
    asked: &RequestContext,
    headers: &HeaderMap,
    ((name, token), file): ((String, Digest), Option<String>),
    stream: &mut BodyDataStream,
) -> Result<(Submission, Standing), Refusal> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if text(header::CONTENT_TYPE).is_some_and(|kind| kind.starts_with("multipart/")) {
        let why = "send the file itself, not a form: --data-binary @bot.zip";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
    }
    let most = asked.queue.bounds().upload;
    let length = text(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    if length.is_some_and(|length| length > most) {
        return Err(upload::too_long(most));
    }
    let _sending = state.arrivals.begin(&name)?;
    // Only one that is taken counts: this one may yet break off.
    state.uploads.has_turn(&name, Instant::now())?;
    let (queue, sender) = (Arc::clone(&asked.queue), name.clone());
    in_thread(move || queue.must_have_room(&sender).map_err(refused)).await?;
    let _place = state.arrivals.place(length.unwrap_or(most)).await?;
    let queue = Arc::clone(&asked.queue);
    let folder = move || submissions::arriving(queue.folder());
    let content = upload::received(stream, folder, most).await?;
    let at = calendar::now();
    let (state, queue) = (Arc::clone(state), Arc::clone(&asked.queue));
    // The thread ends its work also where the sender is gone by then.
    in_thread(move || {
        let (participant, file) = (name.as_str(), file.as_deref());
        let taken = queue.take_in(Arrival { participant, token, content, file, at });
        let taken = taken.map_err(refused)?;
        // The file is there in any case, and no other one is sent under this name meanwhile.
        let _ = state.uploads.take(name.clone(), Instant::now());
        let (_, undecided) = queue.seen().map_err(|error| Refusal::ours(&error))?;
        let standing = undecided.standing(&name, taken.number);
        Ok((taken, standing))
    })
    .await
}

/// Hands in once more the file of an earlier submission of the participant.
pub(super) async fn hand_in_again(
    State(state): State<Arc<HandingIn>>,
    Extension(asked): Extension<RequestContext>,
    Path(number): Path<u64>,
    headers: HeaderMap,
) -> Response {
    let taken = async {
        let (name, token) = participant(&state, &asked).await?;
        let _sending = state.arrivals.begin(&name)?;
        state.uploads.has_turn(&name, Instant::now())?;
        let at = calendar::now();
        let (queue, sender) = (Arc::clone(&asked.queue), name.clone());
        let taken = in_thread(move || {
            queue.must_have_room(&sender).map_err(refused)?;
            let (content, file) = copied(queue.folder(), &sender, number)?;
            let (participant, file) = (sender.as_str(), file.as_deref());
            queue.take_in(Arrival { participant, token, content, file, at }).map_err(refused)
        });
        let taken = taken.await?;
        let _ = state.uploads.take(name, Instant::now());
        Ok(taken)
    };
    match taken.await {
        Err(refusal) => Refusal::told(refusal, &headers),
        Ok(taken) if guest::wants_page(&headers) => {
            Redirect::to(&format!("../{}", taken.number)).into_response()
        }
        Ok(taken) => {
            let queue = Arc::clone(&asked.queue);
            let told = in_thread(move || {
                let (_, undecided) = queue.seen().map_err(|error| Refusal::ours(&error))?;
                Ok(answer::own(&taken, undecided.standing(&taken.participant, taken.number)))
            });
            match told.await {
                Ok(told) => as_json(StatusCode::ACCEPTED, &told),
                Err(refusal) => refusal.told(&headers),
            }
        }
    }
}

/// A copy of the file of an earlier submission, and its name.
fn copied(
    folder: &LeagueFolder,
    participant: &str,
    number: u64,
) -> Result<(NamedTempFile, Option<String>), Refusal> {
    let found = submissions::one(folder, participant, number);
    let missing =
        || Refusal::new(StatusCode::NOT_FOUND, "the file of this submission is no longer stored");
    let found = found.ok_or_else(missing)?;
    let mut content = found.content(folder).ok_or_else(missing)?;
    let copy = submissions::arriving(folder).and_then(|into| {
        let mut copy = unfinished::file_in(&into)?;
        io::copy(&mut content, &mut copy)?;
        Ok(copy)
    });
    Ok((copy.map_err(|error| Refusal::ours(&error))?, found.record.file))
}

fn refused(problem: NotTaken) -> Refusal {
    match problem {
        NotTaken::Waiting(_) => Refusal::later(StatusCode::CONFLICT, problem.to_string(), 10),
        NotTaken::NoDisk => {
            Refusal::later(StatusCode::SERVICE_UNAVAILABLE, problem.to_string(), 300)
        }
        NotTaken::Full => Refusal::later(StatusCode::SERVICE_UNAVAILABLE, problem.to_string(), 60),
        NotTaken::TooMany { wait, .. } => {
            Refusal::later(StatusCode::TOO_MANY_REQUESTS, problem.to_string(), wait)
        }
        NotTaken::NotOpen(_) => Refusal::new(StatusCode::FORBIDDEN, problem.to_string()),
        NotTaken::NoCalendar(failure) => Refusal::ours(&failure),
        NotTaken::Failed(error) => Refusal::ours(&error),
    }
}
