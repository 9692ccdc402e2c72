//! Browsers that tests hand on to each other: starting one takes longer than most tests of a page.
//!
//! The last test ends the browser, so none is left behind.

use std::ops::Deref;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::browser::Browser;

/// Most browsers at once: each keeps a processor busy.
const MOST: usize = 2;

/// A browser for one test, with a new window.
#[derive(Debug)]
pub struct SharedBrowser {
    /// Nothing only while it is dropped.
    browser: Option<Browser>,
}

/// The unused browsers, and the number of tests that wait for one.
#[derive(Debug)]
struct Pool {
    idle: Vec<Browser>,
    started: usize,
    waiting: usize,
}

static POOL: Mutex<Pool> = Mutex::new(Pool { idle: Vec::new(), started: 0, waiting: 0 });
static RETURNED: Condvar = Condvar::new();

impl SharedBrowser {
    /// Takes a browser that another test has used, or starts one where there is one and its driver.
    pub fn take() -> Option<SharedBrowser> {
        let mut pool = pool();
        loop {
            if let Some(browser) = pool.idle.pop() {
                drop(pool);
                let shared = SharedBrowser { browser: Some(browser) };
                shared.renew_window();
                return Some(shared);
            }
            if pool.started < MOST {
                pool.started += 1;
                drop(pool);
                // It counts as started until this is dropped, come what may.
                let mut shared = SharedBrowser { browser: None };
                shared.browser = Some(Browser::start()?);
                return Some(shared);
            }
            pool.waiting += 1;
            pool = RETURNED.wait(pool).unwrap_or_else(PoisonError::into_inner);
            pool.waiting -= 1;
        }
    }
}

impl Deref for SharedBrowser {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        self.browser.as_ref().expect("it is there until it is dropped")
    }
}

impl Drop for SharedBrowser {
    fn drop(&mut self) {
        let browser = self.browser.take();
        let mut pool = pool();
        // A failed test leaves its browser in an unknown state.
        let is_wanted = pool.waiting > pool.idle.len() && !thread::panicking();
        match browser {
            Some(browser) if is_wanted => pool.idle.push(browser),
            ended => {
                pool.started -= 1;
                drop(pool);
                drop(ended);
            }
        }
        RETURNED.notify_one();
    }
}

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}
