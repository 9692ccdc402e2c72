//! A file that is read as a compressed log.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::gzip(data));
