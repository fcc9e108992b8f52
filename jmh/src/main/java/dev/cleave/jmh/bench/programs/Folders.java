package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;

/** A file system somewhere else. */
@Remote
@Async
public interface Folders {

    /** The paths of the folders within a folder. */
    String[] children(String path);

    /** The bytes of the files that lie in a folder itself. */
    long size(String path);
}
