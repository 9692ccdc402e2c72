//! Server-sent events of what is being played.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use tokio::sync::mpsc::{self, Sender};
use tokio_stream::wrappers::ReceiverStream;

use super::watched::Watched;
use crate::serve::page::missing;

/// How long it is between two looks for one page.
const PAUSE: Duration = Duration::from_millis(300);

type Told = Result<Event, Infallible>;

/// `changed`, with the number of changes, once at the beginning and after each.
pub(super) async fn of_list(State(watched): State<Arc<Watched>>) -> Response {
    let mut known = None;
    stream(move || {
        let version = watched.version();
        let is_new = known.replace(version) != Some(version);
        Next::Event(is_new.then(|| Event::default().event("changed").data(version.to_string())))
    })
}

/// `game`, with the steps that were not told yet; after the last of them `over`.
pub(super) async fn of_game(
    State(watched): State<Arc<Watched>>,
    Path(number): Path<String>,
) -> Response {
    let Ok(number) = number.parse::<u64>() else { return missing() };
    // The attempt that was told of, and how many of its steps.
    let mut known: Option<(u32, usize)> = None;
    stream(move || {
        let Some(game) = watched.game(number) else {
            return Next::Last(Event::default().event("over").data(number.to_string()));
        };
        let attempt = game.heading().attempt;
        let from = known.filter(|(of, _)| *of == attempt).map_or(0, |(_, steps)| steps);
        let is_new = known != Some((attempt, game.steps()));
        known = Some((attempt, game.steps()));
        let json = is_new.then(|| game.json_from(from)).and_then(Result::ok);
        Next::Event(json.map(|json| Event::default().event("game").data(json)))
    })
}

/// What comes next.
enum Next {
    Event(Option<Event>),
    /// Then the stream ends.
    Last(Event),
}

/// Looks again and again, in a thread for that, for as long as the page is open.
fn stream(look: impl FnMut() -> Next + Send + 'static) -> Response {
    let (tell, told) = mpsc::channel::<Told>(1);
    tokio::spawn(follow(look, tell));
    Sse::new(ReceiverStream::new(told)).keep_alive(KeepAlive::default()).into_response()
}

async fn follow(mut look: impl FnMut() -> Next + Send + 'static, tell: Sender<Told>) {
    loop {
        let looked = tokio::task::spawn_blocking(move || {
            let next = look();
            (next, look)
        });
        let Ok((next, again)) = looked.await else { return };
        look = again;
        let (event, is_last) = match next {
            Next::Event(event) => (event, false),
            Next::Last(event) => (Some(event), true),
        };
        if let Some(event) = event
            && tell.send(Ok(event)).await.is_err()
        {
            return;
        }
        if is_last {
            return;
        }
        tokio::select! {
            () = tokio::time::sleep(PAUSE) => {}
            () = tell.closed() => return,
        }
    }
}
