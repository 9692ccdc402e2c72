//! The sources of a folder that visitors have looked at, each opened beside the pages of the others.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use text::failure::Failure;
use text::terminal::say;
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;

/// The most sources that are kept open.
const MOST: usize = 1_000;
/// The most sources that are opened at once: others of the threads that read make pages meanwhile.
const AT_ONCE: usize = 2;
/// The time after which a source that could not be opened is tried again.
const AGAIN: Duration = Duration::from_secs(30);

/// The sources of a folder that visitors have looked at.
#[derive(Debug)]
pub(super) struct OpenSources {
    known: Mutex<BTreeMap<String, SourceProgress>>,
    places: Arc<Semaphore>,
}

#[derive(Debug, Clone)]
pub(super) enum SourceState {
    /// It is being opened, which takes long where an index is made anew or many bots are rated.
    Opening,
    Pages(Router),
    /// It could not be opened at this moment.
    Failed(Instant, String),
}

/// The state of a source while it is being opened and afterwards.
#[derive(Debug, Clone)]
pub(super) struct SourceProgress(watch::Receiver<SourceState>);

impl Default for OpenSources {
    fn default() -> OpenSources {
        OpenSources { known: Mutex::default(), places: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

impl OpenSources {
    /// A source that is open or being opened, or could not be opened a moment ago.
    pub(super) fn get(&self, name: &str) -> Option<SourceProgress> {
        self.lock().get(name).filter(|known| known.is_usable()).cloned()
    }

    /// Opens a source in the background, unless another visitor has begun to.
    pub(super) fn open(
        &self,
        name: String,
        open: impl FnOnce() -> Result<Router, Failure> + Send + 'static,
    ) -> SourceProgress {
        let mut known = self.lock();
        if let Some(begun) = known.get(&name).filter(|known| known.is_usable()) {
            return begun.clone();
        }
        let (tell, told) = watch::channel(SourceState::Opening);
        let progress = SourceProgress(told);
        if known.len() < MOST || known.contains_key(&name) {
            known.insert(name, progress.clone());
        }
        let places = Arc::clone(&self.places);
        tokio::spawn(async move {
            let _place = places.acquire_owned().await;
            if let Ok(opened) = tokio::task::spawn_blocking(open).await {
                // Visitors who have gone need it no longer.
                let _ = tell.send(SourceState::from_opened(opened));
            }
        });
        progress
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, SourceProgress>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SourceState {
    fn from_opened(opened: Result<Router, Failure>) -> SourceState {
        match opened {
            Ok(pages) => SourceState::Pages(pages),
            Err(failure) => {
                say(format!("warning: {failure}"));
                SourceState::Failed(Instant::now(), failure.to_string())
            }
        }
    }
}

impl SourceProgress {
    /// The state of the source once it is open, or after this time.
    pub(super) async fn within(mut self, patience: Duration) -> SourceState {
        let is_over = |state: &SourceState| !matches!(state, SourceState::Opening);
        let _ = timeout(patience, self.0.wait_for(is_over)).await;
        self.0.borrow().clone()
    }

    fn is_usable(&self) -> bool {
        match &*self.0.borrow() {
            // Whoever opened it may have failed without a word.
            SourceState::Opening => self.0.has_changed().is_ok(),
            SourceState::Pages(_) => true,
            SourceState::Failed(at, _) => at.elapsed() < AGAIN,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tokio::runtime::{Builder, Runtime};

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn runtime() -> Runtime {
        Builder::new_current_thread().enable_all().build().expect("a runtime")
    }

    #[test]
    fn visitors_do_not_wait_while_a_source_is_being_opened() {
        let sources = OpenSources::default();
        runtime().block_on(async {
            let (let_open, may_open) = mpsc::channel::<()>();
            let slow = sources.open("slow".to_owned(), move || {
                may_open.recv().expect("it may open");
                Ok(Router::new())
            });
            let state = slow.clone().within(Duration::ZERO).await;
            assert!(matches!(state, SourceState::Opening), "{state:?}");
            let second = sources.open("slow".to_owned(), || panic!("it is opened once"));
            let other = sources.open("other".to_owned(), || Ok(Router::new()));
            assert!(matches!(other.within(LONG).await, SourceState::Pages(_)));
            let_open.send(()).expect("it waits");
            for progress in [slow, second, sources.get("slow").expect("known")] {
                let state = progress.within(LONG).await;
                assert!(matches!(state, SourceState::Pages(_)), "{state:?}");
            }
        });
    }

    #[test]
    fn a_source_that_fails_says_so_and_one_that_panics_is_opened_again() {
        let sources = OpenSources::default();
        runtime().block_on(async {
            let open = || Err(Failure::Usage("no disk".to_owned()));
            let state = sources.open("failed".to_owned(), open).within(LONG).await;
            assert!(matches!(&state, SourceState::Failed(_, why) if why == "no disk"), "{state:?}");
            assert!(sources.get("failed").is_some(), "it is not opened at every request");
            sources.open("gone".to_owned(), || panic!("a fault of its own")).within(LONG).await;
            assert!(sources.get("gone").is_none());
            let again = sources.open("gone".to_owned(), || Ok(Router::new())).within(LONG).await;
            assert!(matches!(again, SourceState::Pages(_)), "{again:?}");
        });
    }
}
