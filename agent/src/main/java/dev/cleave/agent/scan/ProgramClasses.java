package dev.cleave.agent.scan;

/**
 * Recognises classes of the program by their names. Called for every class that is loaded, so it uses no other class of
 * ours.
 */
public final class ProgramClasses {

    /** The packages of the core, broker and agent, whose classes are never rewritten; programs below it are no part of them. */
    private static final String OWN = "dev/cleave/";

    /** Programs that happen to live below {@link #OWN}: the examples, and those that the bench measures. */
    private static final String[] PROGRAMS = {"dev/cleave/examples/", "dev/cleave/jmh/"};

    /**
     * Other agents and their libraries. They make no remote calls, and reading one of their classes while it reads one
     * of ours would be a circle.
     */
    private static final String[] TOOLS = {
        "org/jacoco/",
        "net/bytebuddy/",
        "org/objectweb/asm/",
        "org/aspectj/",
        "org/mockito/",
        "javassist/",
        "io/opentelemetry/javaagent/",
        "com/intellij/rt/"
    };

    /** The libraries of the core. They know no interface of the program, so none of their classes calls a remote method. */
    private static final String[] LIBRARIES = {"io/netty/", "com/esotericsoftware/", "org/objenesis/", "org/jspecify/"};

    private ProgramClasses() {}

    /** Whether a class of a name is the program's, and is not of a library that is there for the core. */
    public static boolean mayCallRemote(String internalName) {
        return isProgram(internalName) && !startsWithOne(internalName, LIBRARIES);
    }

    /** Whether a class of a name is the program's, and not the platform's or our own. */
    public static boolean isProgram(String internalName) {
        boolean isPlatform = internalName.startsWith("java/")
                || internalName.startsWith("javax/")
                || internalName.startsWith("jdk/")
                || internalName.startsWith("sun/")
                || internalName.startsWith("com/sun/");
        boolean isProxy = internalName.contains("$Proxy") || internalName.contains("$$Lambda");
        boolean isOwn = internalName.startsWith(OWN) && !startsWithOne(internalName, PROGRAMS);
        return !isPlatform && !isProxy && !isOwn && !startsWithOne(internalName, TOOLS);
    }

    private static boolean startsWithOne(String internalName, String[] prefixes) {
        for (String prefix : prefixes) {
            if (internalName.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
