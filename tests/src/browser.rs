//! A real browser, driven by its driver over the WebDriver protocol.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bench::CEILING;
use crate::running::wait_or_say;

/// The key Enter, as WebDriver names it.
pub const ENTER: &str = "\u{e007}";

/// The key End, as WebDriver names it.
pub const END: &str = "\u{e010}";

/// Switches that keep the browser to itself, as it asks no server for anything, and its pages still.
const SWITCHES: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // What glides is not yet where it will be.
    "--force-prefers-reduced-motion",
];

/// The name under which the driver gives an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with one page.
#[derive(Debug)]
pub struct Browser {
    driver: Child,
    session: String,
    /// The folder of its own that everything of it lies in.
    home: TempDir,
}

/// Width of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// Of a screen on a desk.
    Desktop,
    /// Of a phone.
    Phone,
    /// Of a large screen.
    Wide,
}

impl Width {
    /// So many pixels.
    pub fn pixels(self) -> u32 {
        match self {
            Width::Desktop => 1280,
            Width::Phone => 390,
            Width::Wide => 1920,
        }
    }
}

/// The colours that the user prefers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// The scripts of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageScripts {
    /// They run.
    On,
    /// They do not, as where a visitor has turned them off.
    Off,
}

impl Browser {
    /// Starts a browser, where there is one and its driver.
    pub fn start() -> Option<Browser> {
        let browser = ["chromium", "chromium-browser", "google-chrome"].map(on_path);
        let browser = browser.into_iter().flatten().next()?;
        let program = on_path("chromedriver")?;
        let home = TempDir::new().expect("a temporary folder");
        let mut driver = Command::new(program)
            .arg("--port=0")
            .env("HOME", home.path())
            .env("TMPDIR", home.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the driver starts");
        let port = port(&mut driver);
        let switches = SWITCHES.iter().map(|switch| (*switch).to_owned());
        let folder = format!("--user-data-dir={}", home.path().join("profile").display());
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            // On a busy machine, a script that steps through a whole game takes longer than the usual 30 seconds.
            "timeouts": {"script": CEILING.as_millis() as u64, "pageLoad": CEILING.as_millis() as u64},
            "goog:chromeOptions": {
                "binary": browser,
                "args": switches.chain([folder]).collect::<Vec<_>>(),
            },
            "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let root = format!("http://127.0.0.1:{port}/session");
        let begun = send("POST", &root, Some(&wanted));
        let id = begun["sessionId"].as_str().expect("a session").to_owned();
        Some(Browser { driver, session: format!("{root}/{id}"), home })
    }

    /// Goes on in a new window, which knows nothing of the old one.
    pub fn renew_window(&self) {
        let opened = self.post("window/new", &json!({"type": "tab"}));
        let _ = send("DELETE", &format!("{}/window", self.session), None);
        self.post("window", &json!({"handle": opened["handle"]}));
        // Reading what the console said forgets it.
        let _ = self.complaints();
    }

    /// The name of the window that is shown.
    pub fn window(&self) -> String {
        let name = send("GET", &format!("{}/window", self.session), None);
        name.as_str().expect("a name").to_owned()
    }

    /// Opens one more window, goes there, and gives its name.
    pub fn add_window(&self) -> String {
        let opened = self.post("window/new", &json!({"type": "tab"}));
        let name = opened["handle"].as_str().expect("a name").to_owned();
        self.go_to(&name);
        name
    }

    /// Goes to a window by its name.
    pub fn go_to(&self, window: &str) {
        self.post("window", &json!({"handle": window}));
    }

    /// Closes the window that is shown, and goes to another one.
    pub fn close_for(&self, window: &str) {
        let _ = send("DELETE", &format!("{}/window", self.session), None);
        self.go_to(window);
    }

    /// Opens a file, with what stands behind the `#` of its address, and waits until it is loaded.
    pub fn open(&self, file: &Path, hash: &str) {
        let file = fs::canonicalize(file).expect("the page is there");
        let url = format!("file://{}{hash}", file.display());
        // Only the part behind the `#` may differ, which loads nothing.
        self.post("url", &json!({"url": "about:blank"}));
        self.post("url", &json!({"url": url}));
    }

    /// Opens an address that is served, and waits until it is loaded.
    pub fn visit(&self, url: &str) {
        self.post("url", &json!({"url": url}));
    }

    /// Types into the first element; into one that takes a file, its path.
    pub fn type_into(&self, selector: &str, text: &str) {
        self.on_element(selector, "value", &json!({"text": text}));
    }

    /// Has something done to the first element. One that a page that is alive has just replaced is looked
    /// for again: nothing was done to it. One that lies behind the bar of the page is scrolled from there first.
    fn on_element(&self, selector: &str, command: &str, body: &Value) {
        let wanted = json!({"using": "css selector", "value": selector});
        let done = || {
            let found = self.post("element", &wanted);
            let id = found[ELEMENT].as_str().expect("an element");
            let url = format!("{}/element/{id}/{command}", self.session);
            let (status, answer) = try_send("POST", &url, Some(body));
            let is_stale = answer["value"]["error"] == "stale element reference";
            let is_covered = answer["value"]["error"] == "element click intercepted";
            assert!(status == 200 || is_stale || is_covered, "{url}: {answer}");
            if is_covered {
                let arguments = json!([{ELEMENT: id}]);
                let script =
                    "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })";
                self.post("execute/sync", &json!({"script": script, "args": arguments}));
            }
            status == 200
        };
        wait_or_say(done, || format!("{selector} stays for a {command}"));
    }

    /// Goes back to what was shown before. A script must not ask for that: the driver runs it once
    /// more if the page goes away before it has answered, and is then two pages back.
    pub fn back(&self) {
        self.post("back", &json!({}));
    }

    /// Goes into a frame: what follows happens there.
    pub fn enter(&self, selector: &str) {
        let frame = self.post("element", &json!({"using": "css selector", "value": selector}));
        self.post("frame", &json!({"id": frame}));
    }

    /// Goes back to the page from a frame of it.
    pub fn leave(&self) {
        self.post("frame", &json!({"id": null}));
    }

    /// Reads the address.
    pub fn address(&self) -> String {
        let url = send("GET", &format!("{}/url", self.session), None);
        url.as_str().expect("an address").to_owned()
    }

    /// Runs a script and returns its result.
    pub fn run(&self, script: &str) -> Value {
        self.post("execute/sync", &json!({"script": script, "args": []}))
    }

    /// Waits until a script gives true.
    pub fn wait(&self, condition: &str) {
        let script = format!("return !!({condition})");
        let seen = || format!("{condition}, at {}: {}", self.address(), self.text("body"));
        wait_or_say(|| self.run(&script) == json!(true), seen);
    }

    /// The text that can be seen of the first element.
    pub fn text(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({}).innerText", json!(selector));
        self.run(&script).as_str().unwrap_or_default().to_owned()
    }

    /// Presses a key, wherever the focus is. `\u{e014}` is the arrow to the right.
    pub fn press(&self, key: &str) {
        let actions = json!({"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key},
        ]}]});
        self.post("actions", &actions);
    }

    /// Clicks the first element, as a person would.
    pub fn click(&self, selector: &str) {
        self.on_element(selector, "click", &json!({}));
    }

    /// Makes the window as wide as this.
    pub fn resize(&self, width: Width) {
        let is_phone = width == Width::Phone;
        let (width, height) = (width.pixels(), if is_phone { 844 } else { 900 });
        let scale = if is_phone { 2 } else { 1 };
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            &json!({"width": width, "height": height, "deviceScaleFactor": scale, "mobile": is_phone}),
        );
    }

    /// Prefers these colours from now on.
    pub fn prefer(&self, scheme: Scheme) {
        let value = match scheme {
            Scheme::Light => "light",
            Scheme::Dark => "dark",
        };
        let feature = json!([{"name": "prefers-color-scheme", "value": value}]);
        self.devtools("Emulation.setEmulatedMedia", &json!({"features": feature}));
    }

    /// Lets things move from now on.
    pub fn allow_motion(&self) {
        let feature = json!([{"name": "prefers-reduced-motion", "value": "no-preference"}]);
        self.devtools("Emulation.setEmulatedMedia", &json!({"features": feature}));
    }

    /// Has pages run their scripts from now on, or not.
    pub fn run_scripts(&self, scripts: PageScripts) {
        let is_off = scripts == PageScripts::Off;
        self.devtools("Emulation.setScriptExecutionDisabled", &json!({"value": is_off}));
    }

    /// The whole page as a picture.
    pub fn screenshot(&self) -> Vec<u8> {
        let shot = self.devtools(
            "Page.captureScreenshot",
            &json!({"format": "png", "captureBeyondViewport": true}),
        );
        STANDARD.decode(shot["data"].as_str().expect("a picture")).expect("base64")
    }

    /// Warnings and errors of the console since the last call.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.post("se/log", &json!({"type": "browser"}));
        let entries = log.as_array().expect("entries").iter();
        let bad = entries.filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING");
        bad.map(|entry| entry["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({"cmd": command, "params": parameters}))
    }

    fn post(&self, command: &str, body: &Value) -> Value {
        send("POST", &format!("{}/{command}", self.session), Some(body))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver ends the browser with the session.
        let _ = minreq::delete(&self.session).with_timeout(30).send();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = fs::remove_dir_all(self.home.path());
    }
}

/// A program on the search path.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The port that the driver says it listens on.
fn port(driver: &mut Child) -> u16 {
    let begun = Instant::now();
    let lines = BufReader::new(driver.stdout.take().expect("a pipe")).lines();
    for line in lines.map_while(Result::ok) {
        assert!(begun.elapsed() < CEILING, "the driver does not listen");
        let port = line.split("started successfully on port ").nth(1);
        if let Some(port) = port.and_then(|rest| rest.trim_end_matches('.').parse().ok()) {
            return port;
        }
    }
    unreachable!("the driver ended without a port")
}

/// The value that the driver answers with.
fn send(method: &str, url: &str, body: Option<&Value>) -> Value {
    let (status, answer) = try_send(method, url, body);
    assert_eq!(status, 200, "{url}: {answer}");
    answer["value"].clone()
}

/// The status and the whole answer of the driver.
fn try_send(method: &str, url: &str, body: Option<&Value>) -> (i32, Value) {
    let request = match method {
        "GET" => minreq::get(url),
        "DELETE" => minreq::delete(url),
        _ => minreq::post(url),
    };
    let request = request.with_timeout(CEILING.as_secs());
    let request = match body {
        Some(body) => request.with_json(body).expect("JSON"),
        None => request,
    };
    let response = request.send().expect("the driver answers");
    (response.status_code, response.json().expect("JSON"))
}
