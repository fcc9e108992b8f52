package dev.cleave.agent.ir;

/** Says that a method cannot be put into register form, or not back into bytecode; the original stays as it is. */
public final class Unsupported extends Exception {

    private static final long serialVersionUID = 1L;

    /** Why a method is left alone. */
    public enum Reason {
        /** The class file is older than version 50 and has no frames that could be checked. */
        OLD_CLASS_FILE,
        /** The method has no code. */
        NO_CODE,
        /** Subroutines by JSR and RET, from compilers before Java 6. */
        SUBROUTINE,
        /** The bytecode does not pass analysis. */
        INVALID_CODE,
        /** The class file of a class that a frame needs is not found. */
        UNKNOWN_CLASS,
        /** The method would exceed a limit of the JVM, or its frames the memory limit of the agent. */
        TOO_LARGE
    }

    private final Reason reason;

    public Unsupported(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
