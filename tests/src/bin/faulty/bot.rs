//! The common tools of all modes: arguments, the request, and a way to answer.

use std::cell::OnceCell;
use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::process;

/// Beginning of an argument without meaning: every process of a bot passes it on, so that a test
/// can find them all.
pub(crate) const MARKER: &str = "marker=";

/// The arguments after the mode, and the request once it is wanted.
pub(crate) struct Bot {
    words: Vec<String>,
    marker: Option<String>,
    request: OnceCell<Request>,
}

impl Bot {
    pub(crate) fn new(words: Vec<String>) -> Bot {
        let (mut markers, words): (Vec<_>, Vec<_>) =
            words.into_iter().partition(|word| word.starts_with(MARKER));
        Bot { words, marker: markers.pop(), request: OnceCell::new() }
    }

    /// The same bot with other arguments; a request that was read stays read.
    pub(crate) fn with_words(&self, words: &[String]) -> Bot {
        let words = words.to_vec();
        Bot { words, marker: self.marker.clone(), request: self.request.clone() }
    }

    /// The argument that other processes of this bot must carry too.
    pub(crate) fn marker(&self) -> Option<&str> {
        self.marker.as_deref()
    }

    pub(crate) fn words(&self) -> &[String] {
        &self.words
    }

    /// The request, read when it is first asked for.
    pub(crate) fn request(&self) -> &Request {
        self.request.get_or_init(Request::read)
    }

    /// The answer that was given as an argument, or else the first legal move.
    pub(crate) fn answer(&self) -> String {
        let request = self.request();
        self.words.first().cloned().unwrap_or_else(|| request.first_legal())
    }

    /// The answer of a mode that must not read the request: the word after the mode, or one word
    /// for each request, which are counted in the scratch folder.
    pub(crate) fn fixed_answer(&self) -> String {
        match &self.words[..] {
            [] => usage("this mode does not read the request, expected the answers after it"),
            [word] => word.clone(),
            words => words.get(count_requests()).cloned().unwrap_or_default(),
        }
    }
}

/// Number of earlier requests: the length of a file that grows by one each time.
fn count_requests() -> usize {
    let file = OpenOptions::new().create(true).append(true).open("requests");
    let counted = file.and_then(|mut file| {
        let before = file.metadata()?.len();
        file.write_all(b"x").map(|()| before as usize)
    });
    counted.unwrap_or_else(|error| usage(&format!("cannot count requests: {error}")))
}

/// The request as text; only what the modes need of it is understood.
#[derive(Clone)]
pub(crate) struct Request {
    text: String,
}

impl Request {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    fn read() -> Request {
        let mut bytes = Vec::new();
        // A request that breaks off is used as far as it goes.
        let _ = io::stdin().read_to_end(&mut bytes);
        Request { text: String::from_utf8_lossy(&bytes).into_owned() }
    }

    /// The text after a key on the first line that begins with it.
    pub(crate) fn value(&self, key: &str) -> Option<&str> {
        self.text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '))
    }

    /// The lines that follow the line of a key, as many as it says.
    pub(crate) fn lines(&self, key: &str) -> Vec<&str> {
        let all: Vec<&str> = self.text.lines().collect();
        let head = |line: &&str| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(' '));
        let start = all.iter().position(head).map_or(all.len(), |at| at + 1);
        let count = self.value(key).and_then(|value| value.split(' ').next()?.parse().ok());
        let end = start.saturating_add(count.unwrap_or(0)).min(all.len());
        all[start..end].to_vec()
    }

    /// The first legal move; empty if there is none.
    pub(crate) fn first_legal(&self) -> String {
        self.lines("legal").first().copied().unwrap_or_default().to_owned()
    }
}

/// Prints bytes to standard output at once; a broken pipe is ignored.
pub(crate) fn say(bytes: impl AsRef<[u8]>) {
    let mut stdout = io::stdout();
    let _ = stdout.write_all(bytes.as_ref()).and_then(|()| stdout.flush());
}

/// Ends the bot because it was called in a way that makes no sense.
pub(crate) fn usage(why: &str) -> ! {
    eprintln!("faulty: {why}");
    process::exit(2)
}
