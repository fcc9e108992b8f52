package dev.cleave.agent.junit;

/** One of the two ways in which a test runs. */
enum Way {
    AS_WRITTEN("as written"),
    REWRITTEN("rewritten");

    private final String words;

    Way(String words) {
        this.words = words;
    }

    @Override
    public String toString() {
        return words;
    }
}
