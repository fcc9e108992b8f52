package dev.cleave.spring;

import dev.cleave.Serial;
import dev.cleave.node.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.ClassUtils;

/**
 * Binds the beans with {@link CleaveService} when all singletons have been made, before a web server starts. Drains the
 * node when the context closes, behind the web server and before any bean is destroyed: calls that have begun run to
 * their end, at most {@link Node#LEAVE}.
 */
final class CleaveServices implements SmartLifecycle {

    /** Stops behind the web server, whose requests may still make calls. */
    static final int PHASE = DEFAULT_PHASE - 4096;

    private final Node node;
    private final ListableBeanFactory beans;
    private final Map<String, String> bound = new TreeMap<>(); // names of beans by service; under the lock of this
    private volatile boolean running;

    CleaveServices(Node node, ListableBeanFactory beans) {
        this.node = node;
        this.beans = beans;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    @Override
    public synchronized void start() {
        for (String bean : beans.getBeanNamesForAnnotation(CleaveService.class)) {
            CleaveService said = beans.findAnnotationOnBean(bean, CleaveService.class);
            if (said != null) {
                bind(bean, said);
            }
        }
        running = true;
    }

    private void bind(String bean, CleaveService said) {
        Object target = beans.getBean(bean);
        Class<?> type = said.type() != void.class ? said.type() : only(bean, target);
        String service = ServiceNames.of(said.name(), type);
        if (AopUtils.isJdkDynamicProxy(target)
                && AopUtils.getTargetClass(target).isAnnotationPresent(Serial.class)) {
            throw new IllegalStateException("bean " + bean + ": @Serial of "
                    + AopUtils.getTargetClass(target).getName()
                    + " is hidden by its proxy (expected: spring.aop.proxy-target-class=true)");
        }
        String other = bound.putIfAbsent(service, bean);
        if (other != null) {
            throw new IllegalStateException("beans " + other + " and " + bean + " are both the service " + service
                    + " (expected: @CleaveService(\"another name\") on one)");
        }
        bind(service, type, target);
    }

    private <T> void bind(String service, Class<T> type, Object target) {
        node.bind(service, type, type.cast(target));
    }

    private static Class<?> only(String bean, Object target) {
        List<Class<?>> remote = new ArrayList<>(Arrays.stream(ClassUtils.getAllInterfaces(target))
                .filter(CleaveServices::isRemote)
                .toList());
        // If one interface extends another, the object is served through the extending one.
        remote.removeIf(above -> remote.stream().anyMatch(below -> below != above && above.isAssignableFrom(below)));
        if (remote.size() != 1) {
            throw new IllegalStateException("bean " + bean + " of "
                    + AopUtils.getTargetClass(target).getName() + " has "
                    + (remote.isEmpty()
                            ? "no remote interface (expected: one with @dev.cleave.Remote)"
                            : "several remote interfaces: "
                                    + remote.stream().map(Class::getName).collect(Collectors.joining(", "))
                                    + " (expected: @CleaveService(type = ...))"));
        }
        return remote.get(0);
    }

    private static boolean isRemote(Class<?> type) {
        return type.isAnnotationPresent(dev.cleave.Remote.class)
                || java.rmi.Remote.class.isAssignableFrom(type) && type != java.rmi.Remote.class;
    }

    /** The services of this application, with the names of their beans. */
    synchronized Map<String, String> bound() {
        return Map.copyOf(bound);
    }

    @Override
    public void stop() {
        running = false;
        node.drain();
    }

    @Override
    public void stop(Runnable stopped) {
        running = false;
        Thread draining = new Thread(
                () -> {
                    try {
                        node.drain();
                    } finally {
                        stopped.run();
                    }
                },
                "cleave-drain");
        draining.setDaemon(true);
        draining.start();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
