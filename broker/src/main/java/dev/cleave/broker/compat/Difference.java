package dev.cleave.broker.compat;

/**
 * One difference between two versions.
 *
 * @param pair who calls whom
 * @param isBreak whether calls fail, or something else than before happens without a failure
 * @param where the method, or the class and its field or constant
 * @param what what happens, and what to do
 */
public record Difference(Pair pair, boolean isBreak, String where, String what) {

    /** The versions of the caller and of the server. */
    public enum Pair {
        /** Clients of the old version call servers of the new one. */
        OLD_CLIENT("old client, new server"),
        /** Clients of the new version call servers of the old one. */
        NEW_CLIENT("new client, old server");

        private final String title;

        Pair(String title) {
            this.title = title;
        }

        /** The pair in words. */
        public String title() {
            return title;
        }
    }
}
