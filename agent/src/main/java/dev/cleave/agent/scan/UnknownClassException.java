package dev.cleave.agent.scan;

/** Says that an answer depends on a class whose class file cannot be found. */
public final class UnknownClassException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String internalName;

    public UnknownClassException(String internalName) {
        super("class file not found: " + internalName, null, false, false);
        this.internalName = internalName;
    }

    /** The class that was asked for. */
    public String internalName() {
        return internalName;
    }
}
