package dev.cleave.config;

/** The limits of application files, and the key by which one takes another in. */
final class FileForm {

    /** The most characters of a file, or bytes. */
    static final int MAX_LENGTH = 1 << 20;

    /** The most levels of keys and lists. */
    static final int MAX_DEPTH = 32;

    /** Lists the files whose keys a file has as well. */
    static final String INCLUDE = "include";

    private FileForm() {}
}
