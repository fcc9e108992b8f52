package dev.cleave.agent.corpus;

import java.nio.file.Path;

/** Which interfaces of the jars are taken as remote: each class is rewritten once for each way. */
enum Way {
    /** All interfaces that are asked for. */
    ALL("", ".jar"),

    /**
     * The interfaces that no class of the jars implements. The agent looks into the methods that calls of the others end in, so
     * programs in layers are planned, and classes that call themselves through their interface.
     */
    FOLLOWED(" (implemented interfaces followed)", "-followed.jar");

    private final String label;
    private final String suffix;

    Way(String label, String suffix) {
        this.label = label;
        this.suffix = suffix;
    }

    /** Stands behind the name of a class that failed in this way. */
    String label() {
        return label;
    }

    /** Where the rewritten classes of one of the jars are. */
    Path woven(Path folder, int number) {
        return folder.resolve(number + suffix);
    }
}
