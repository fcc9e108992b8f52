package dev.cleave.agent.transform;

/** The names of classes and methods of the core that the agent knows. No other class of the agent holds such a name. */
public final class CoreNames {

    /** The class that rewritten code calls, as an internal name. */
    public static final String RT = "dev/cleave/rt/Rt";

    /** The class over which rewritten code iterates in the place of a string tokenizer, as an internal name. */
    public static final String TOKENS = "dev/cleave/rt/Tokens";

    /** The class that rewritten code calls in the place of RMI, as an internal name. */
    public static final String RMI_CALLS = "dev/cleave/rmi/RmiCalls";

    /** The class that rewritten code calls to prefetch and claim, as an internal name. */
    public static final String PREFETCH = "dev/cleave/rt/Prefetch";

    /** The internal name of the class from which a method takes parameters that arrive while it runs. */
    public static final String LATER_ARGUMENTS = "dev/cleave/later/LaterArguments";

    /** The descriptor of the annotation of methods whose parameters may arrive while they run. */
    static final String TAKES_LATER = "Ldev/cleave/later/TakesLater;";

    /** {@link #RT} as a binary name. */
    public static final String RT_CLASS = "dev.cleave.rt.Rt";

    /** The class that holds the counters, as a binary name; {@code static String text()}. */
    public static final String SITES_CLASS = "dev.cleave.rt.Sites";

    /** The class that reads application files, as a binary name. */
    public static final String STYLES_CLASS = "dev.cleave.rt.Styles";

    static final String OBJECT = "Ljava/lang/Object;";
    static final String QUEUE = "Ldev/cleave/rt/LoopQueue;";

    static final String PREFETCH_QUEUE = "Ldev/cleave/rt/PrefetchQueue;";
    /** The class that hands calls over to helpers, as an internal name. */
    static final String PASSAGE = "dev/cleave/rt/Passage";

    /** The class that leads to helpers of other classes, as an internal name. */
    static final String HELPER_DOOR = "dev/cleave/rt/HelperDoor";

    /** {@link #HELPER_DOOR} as a binary name; {@code static void redefined(Class)}. */
    public static final String HELPER_DOOR_CLASS = "dev.cleave.rt.HelperDoor";

    /** The class through which strands run ahead of streams, as an internal name. */
    static final String STRAND_STREAM_RUN = "dev/cleave/rt/StrandStreamRun";

    /** The class that runs ahead of streams, as an internal name. */
    static final String STREAM_AHEAD = "dev/cleave/rt/StreamAhead";

    /** The internal name of the class from which a rewritten stream takes its elements. */
    static final String STREAM_SOURCE = "dev/cleave/rt/StreamSource";

    private static final String LINK =
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;";

    /** Descriptor of the bootstraps {@code send} and {@code sendChained}: place, line. */
    static final String SEND = LINK + "Ljava/lang/String;I)Ljava/lang/invoke/CallSite;";

    /** Descriptor of the bootstrap {@code sendDependent}: place, line, bits of the parameters that are results. */
    static final String SEND_DEPENDENT = LINK + "Ljava/lang/String;II)Ljava/lang/invoke/CallSite;";

    /** Descriptor of the bootstrap {@code sendStaying}: place, line, bits, arguments that the result is for. */
    static final String SEND_STAYING = LINK + "Ljava/lang/String;III)Ljava/lang/invoke/CallSite;";

    /** Descriptor of the bootstrap {@code open}: window, sends. */
    static final String OPEN = LINK + "II)Ljava/lang/invoke/CallSite;";

    /** Descriptor of the bootstrap {@code stream}: window, functional interfaces, stages. */
    static final String STREAM = LINK + "ILjava/lang/invoke/MethodType;[Ljava/lang/String;)Ljava/lang/invoke/CallSite;";

    /** Descriptor of the bootstrap {@code reference}: as for a lambda, then place, line, key. */
    static final String REFERENCE = LINK
            + "Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;"
            + "Ljava/lang/String;ILjava/lang/String;Ljava/lang/String;)Ljava/lang/invoke/CallSite;";

    /** Descriptor of the bootstraps {@code Prefetch.reference}: key, name of the function; and {@code Rt.takingReference}: that name, helper. */
    static final String TAKING_REFERENCE = LINK
            + "Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;"
            + "Ljava/lang/String;Ljava/lang/String;)Ljava/lang/invoke/CallSite;";

    /** Descriptor of the bootstrap {@code Prefetch.open}: window, first pass, sites. */
    static final String PREFETCH_OPEN = LINK + "II[Ljava/lang/String;)Ljava/lang/invoke/CallSite;";

    /** Descriptor of the bootstrap {@code Prefetch.stretch}: sites. */
    static final String PREFETCH_STRETCH = LINK + "[Ljava/lang/String;)Ljava/lang/invoke/CallSite;";

    /** Descriptor of the bootstraps {@code Prefetch.send} and {@code Prefetch.claim}: position. */
    static final String PREFETCH_CALL = LINK + "I)Ljava/lang/invoke/CallSite;";

    /**
     * Descriptor of the bootstrap {@code Prefetch.stream}: window, first pass, functional interfaces, stages, calls.
     */
    static final String PREFETCH_STREAM =
            LINK + "IILjava/lang/invoke/MethodType;I[Ljava/lang/String;)Ljava/lang/invoke/CallSite;";

    /** Descriptor of the bootstrap {@code door}: the class named, the class that declares, contract. */
    static final String DOOR =
            LINK + "Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)Ljava/lang/invoke/CallSite;";

    /** Descriptor of the bootstrap {@code enter}: key, contracts. */
    static final String ENTER = LINK + "Ljava/lang/String;[Ljava/lang/String;)Ljava/lang/invoke/CallSite;";

    /** The class of nests whose calls are sent by strands, as an internal name. */
    static final String STRANDS = "dev/cleave/rt/Strands";

    /** Internal name of the class that links the making of nests and strands. */
    static final String STRAND_LINKS = "dev/cleave/rt/StrandLinks";

    /** The class of activations whose calls are sent by strands, as an internal name. */
    static final String STRAND_NODE = "dev/cleave/rt/StrandNode";

    /** Descriptor of {@code StrandNode.add}: strand, rows that it sends, windows, rows that it looks at, that it begins. */
    static final String ADD_TO_NODE = "(L" + STRAND_NODE + ";" + OBJECT
            + "Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)L" + STRAND_NODE + ";";

    /** The collections of strands. */
    static final String STRAND_COPIES = "dev/cleave/rt/StrandCopies";

    /** Descriptor of {@code StrandCopies.connect}: reader, its queue, writer, its queue, 1 or 0. */
    static final String CONNECT_STRANDS = "(" + OBJECT + OBJECT + OBJECT + OBJECT + "I)V";

    /** {@link #STRANDS} as a descriptor. */
    static final String STRANDS_TYPE = "L" + STRANDS + ";";

    /** The internal name of the class that all strands extend. */
    static final String STRAND = "dev/cleave/rt/Strand";

    /** The function with which the program fills a map. */
    static final String SENT_MAPPING = "dev/cleave/rt/SentMapping";

    /** Links what strands do with objects of other classes. */
    static final String OTHER_CLASS = "dev/cleave/rt/OtherClass";

    /** Descriptor of the bootstrap {@code OtherClass.test}: name of the class. */
    static final String TEST_CLASS =
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
                    + "Ljava/lang/String;)Ljava/lang/invoke/CallSite;";

    /** Descriptor of the bootstraps {@code OtherClass.takes} and {@code OtherClass.open}: name of the class, contract. */
    static final String TAKES =
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
                    + "Ljava/lang/String;Ljava/lang/String;)Ljava/lang/invoke/CallSite;";

    /** Descriptor of the bootstrap {@code OtherClass.member}: class, class that is named, descriptor, opcode. */
    static final String MEMBER =
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
                    + "Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;I)Ljava/lang/invoke/CallSite;";

    /** Descriptor of the bootstrap {@code Strands.open}: rows. */
    static final String OPEN_STRANDS = LINK + "I)Ljava/lang/invoke/CallSite;";

    /** Descriptor of the bootstrap {@code Strands.strand}: code. */
    static final String LINK_STRAND = LINK + "[Ljava/lang/String;)Ljava/lang/invoke/CallSite;";

    /** Descriptor of {@code Strands.addWalk}: strand, rows of the call and of the method, what {@link #ADD_TO_NODE} has. */
    static final String ADD_WALK = "(" + STRANDS_TYPE + OBJECT
            + "IILjava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)" + STRANDS_TYPE;

    /** Descriptor of {@code Strands.add}: strand, rows that it sends, their windows, rows that it looks at. */
    static final String ADD_STRAND =
            "(" + STRANDS_TYPE + OBJECT + "Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)" + STRANDS_TYPE;

    private CoreNames() {}
}
