package dev.cleave.jmh.bench.programs;

/** How much lies in a folder and in all folders within it. */
final class FolderSize {

    private final Folders folders;
    private int deepest;

    FolderSize(Folders folders) {
        this.folders = folders;
    }

    String of(String path) {
        long bytes = walk(path, 0);
        return path + ": " + bytes + " bytes, " + deepest + " levels\n";
    }

    private long walk(String path, int depth) {
        deepest = Math.max(deepest, depth);
        long bytes = folders.size(path);
        for (String child : folders.children(path)) {
            bytes += walk(child, depth + 1);
        }
        return bytes;
    }
}
