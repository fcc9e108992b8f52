package dev.cleave.rmi;

import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import java.security.Key;
import java.security.cert.Certificate;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The filter of the values of one message. First come the patterns of {@code -Dcleave.rmi.filter}, which have the form
 * of those of {@link ObjectInputFilter.Config#createFilter}, then those of {@code jdk.serialFilter}; what these leave
 * open passes if it is a value class or exception of the JDK, or {@linkplain OwnTypes of the program}. An array may
 * have no more elements than a message of its length can hold.
 */
final class Sieve implements ObjectInputFilter {

    /** The system property with the patterns of classes that are allowed or, with {@code !}, refused. */
    static final String PROPERTY = "cleave.rmi.filter";

    private static final @Nullable ObjectInputFilter OF_PROGRAM = configured();

    private static final Set<String> PACKAGES = Set.of(
            "java.lang",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.concurrent.locks",
            "java.util.regex",
            "java.math",
            "java.time",
            "java.time.chrono",
            "java.time.temporal",
            "java.time.zone",
            "java.net",
            "java.io",
            "java.text",
            "java.sql",
            "java.awt",
            "java.awt.geom",
            "java.rmi",
            "java.rmi.dgc",
            "java.rmi.server",
            "java.rmi.registry",
            "sun.util.calendar");

    /** Values of packages whose other classes do more than hold values; and lambdas of the program, which are serializable. */
    private static final Set<String> CLASSES = Set.of(
            "java.beans.PropertyChangeEvent",
            "java.lang.invoke.SerializedLambda",
            "java.security.KeyPair",
            "java.security.KeyRep",
            "java.security.SignedObject",
            "java.security.cert.Certificate$CertificateRep",
            "java.util.logging.Level",
            "java.util.logging.LogRecord",
            "javax.crypto.SealedObject",
            "javax.management.ObjectName",
            "javax.naming.CompositeName",
            "javax.naming.CompoundName",
            "javax.naming.ldap.LdapName",
            "javax.rmi.ssl.SslRMIClientSocketFactory",
            "javax.security.auth.x500.X500Principal",
            "javax.sql.rowset.serial.SerialBlob",
            "javax.sql.rowset.serial.SerialClob");

    private static final int FEW = 64;
    private static final int ELEMENTS_PER_BYTE = 8;

    private final OwnTypes types;
    private final long mostElements;
    private @Nullable String refused;

    /** Creates the filter of a message of {@code bytes} bytes. */
    Sieve(OwnTypes types, int bytes) {
        this.types = types;
        mostElements = FEW + (long) ELEMENTS_PER_BYTE * bytes;
    }

    private static @Nullable ObjectInputFilter configured() {
        String patterns = System.getProperty(PROPERTY);
        return patterns == null || patterns.isBlank() ? null : Config.createFilter(patterns);
    }

    @Override
    public Status checkInput(FilterInfo info) {
        if (info.arrayLength() > mostElements) {
            refused = "an array of " + info.arrayLength() + " elements in a message that cannot hold them";
            return Status.REJECTED;
        }
        Status said = OF_PROGRAM == null ? Status.UNDECIDED : OF_PROGRAM.checkInput(info);
        ObjectInputFilter ofJvm = Config.getSerialFilter();
        if (said == Status.UNDECIDED && ofJvm != null) {
            said = ofJvm.checkInput(info);
        }
        if (said == Status.UNDECIDED) {
            Class<?> type = info.serialClass();
            return type == null || isAllowed(type) ? Status.ALLOWED : refuse(type.getName());
        }
        return said == Status.REJECTED && info.serialClass() != null
                ? refuse(info.serialClass().getName())
                : said;
    }

    private Status refuse(String name) {
        refused = name;
        return Status.REJECTED;
    }

    private boolean isAllowed(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        if (element.isPrimitive()
                || element == RemoteForm.class
                || element == Proxy.class
                || Proxy.isProxyClass(element)) {
            return true; // a proxy is as harmless as its handler, which is looked at, too
        }
        if (OwnTypes.isOfJdk(element)) {
            return PACKAGES.contains(element.getPackageName())
                    || Throwable.class.isAssignableFrom(element)
                    || element.isEnum()
                    || isStub(element)
                    || Key.class.isAssignableFrom(element)
                    || Certificate.class.isAssignableFrom(element)
                    || CLASSES.contains(element.getName());
        }
        return Throwable.class.isAssignableFrom(element) || types.allows(element);
    }

    /** Whether instances are stubs of the JDK's own remote objects: those of registries and of JMX. */
    @SuppressWarnings("deprecation") // the JDK still makes them
    private static boolean isStub(Class<?> type) {
        return java.rmi.server.RemoteStub.class.isAssignableFrom(type);
    }

    /** Says in an exception of the filter what was refused, and what to do about it. */
    InvalidClassException explained(InvalidClassException thrown) {
        String what = refused;
        if (what == null) {
            return thrown;
        }
        InvalidClassException made = new InvalidClassException(
                what + " is not allowed: it is neither of the program's own classes nor named by the remote interface"
                        + " (add it to the patterns of -D" + PROPERTY + ")");
        made.initCause(thrown);
        return made;
    }
}
