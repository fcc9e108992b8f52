package dev.cleave.rmi;

import dev.cleave.ref.References;
import dev.cleave.serial.ObjectFormat;
import dev.cleave.serial.Reference;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads what {@link MarshalOut} has written: values that the filter lets pass, and references to remote objects. */
final class MarshalIn extends ObjectInputStream {

    private final @Nullable ClassLoader loader;
    private final Function<Reference, Object> arriving;

    private MarshalIn(InputStream in, @Nullable ClassLoader loader, Sieve sieve, Function<Reference, Object> arriving)
            throws IOException {
        super(in);
        this.loader = loader;
        this.arriving = arriving;
        boolean unused = enableResolveObject(true);
        setObjectInputFilter(sieve);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass described) throws IOException, ClassNotFoundException {
        String name = described.getName();
        try {
            return ClassFinder.find(name, loader);
        } catch (ClassNotFoundException e) {
            return super.resolveClass(described); // primitive types, and classes that only the program's caller sees
        }
    }

    @Override
    protected Class<?> resolveProxyClass(String[] names) throws IOException, ClassNotFoundException {
        Class<?>[] interfaces = new Class<?>[names.length];
        for (int i = 0; i < names.length; i++) {
            interfaces[i] = ClassFinder.find(names[i], loader);
        }
        return Proxy.newProxyInstance(loaderOf(interfaces), interfaces, (proxy, method, arguments) -> null)
                .getClass();
    }

    /** The loader of the first interface of the program: the first of all may be one of the JDK, such as {@code Remote}. */
    private @Nullable ClassLoader loaderOf(Class<?>[] interfaces) {
        return Arrays.stream(interfaces)
                .filter(each -> !OwnTypes.isOfJdk(each))
                .map(Class::getClassLoader)
                .findFirst()
                .orElse(loader);
    }

    @Override
    protected Object resolveObject(Object read) throws IOException {
        if (!(read instanceof RemoteForm form)) {
            return read;
        }
        return arriving.apply(form.reference(References.MARK + form.type()));
    }

    /** The values of one message, read one after the other. */
    static final class Values implements ObjectFormat.In {

        private final ByteArrayInputStream bytes;
        private final Sieve sieve;
        private final @Nullable ClassLoader loader;
        private final Function<Reference, Object> arriving;
        private @Nullable MarshalIn in;

        Values(byte[] bytes, @Nullable ClassLoader loader, OwnTypes types, Function<Reference, Object> arriving) {
            this.bytes = new ByteArrayInputStream(bytes);
            this.loader = loader;
            this.arriving = arriving;
            sieve = new Sieve(types, bytes.length);
        }

        @Override
        public @Nullable Object take() throws IOException, ClassNotFoundException {
            MarshalIn stream = in;
            if (stream == null) {
                stream = new MarshalIn(bytes, loader, sieve, arriving);
                in = stream;
            }
            try {
                return stream.readObject();
            } catch (java.io.InvalidClassException e) {
                throw sieve.explained(e);
            }
        }

        @Override
        public boolean isAtEnd() {
            return bytes.available() == 0;
        }
    }
}
