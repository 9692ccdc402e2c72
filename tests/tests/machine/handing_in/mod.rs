//! Pages where bots are handed in, in a browser, and a whole contest.

mod browser;
