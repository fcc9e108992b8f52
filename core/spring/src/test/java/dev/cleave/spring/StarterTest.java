package dev.cleave.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.CallContext;
import dev.cleave.Serial;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.call.Stub;
import dev.cleave.intercept.ContextCarrier;
import dev.cleave.intercept.ServerInterceptor;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.annotation.PreDestroy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.aopalliance.intercept.MethodInterceptor;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;

/** Applications with the starter; run with Spring Boot 3.5 and, but for those that one version shows in a build, 4. */
@Tag("one-jdk")
class StarterTest {

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    /** Waits as long as a machine needs that does much else. */
    private static ConditionFactory patiently() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    private ConfigurableApplicationContext run(Class<?> configuration, String... properties) {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off", "spring.jmx.enabled=false")
                .properties(properties)
                .run();
        open.add(context);
        return context;
    }

    private String broker() {
        Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
        open.add(broker);
        return "cleave.broker=" + broker.endpoint();
    }

    private Node node(String broker) {
        Node node = Node.connect(NodeOptions.DEFAULT.withBroker(Endpoint.parse(broker.substring(14))));
        open.add(node);
        return node;
    }

    @EnableAutoConfiguration
    @Configuration(proxyBeanMethods = false)
    static class Plain {}

    @CleaveService
    static class Stock implements Inventory {

        @Override
        public String item(int number) {
            return "item " + number;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Stock.class)
    static class Server {

        @Bean
        @CleaveService("night-orders")
        Orders orders(@Value("${orders:3}") int open) {
            return () -> open;
        }
    }

    static class Shop {

        final Inventory given;

        @CleaveReference
        Inventory field;

        @CleaveReference("night-orders")
        Orders named;

        Inventory shared;

        Shop(@CleaveReference Inventory given, Inventory shared) {
            this.given = given;
            this.shared = shared;
        }
    }

    @CleaveReferences(Inventory.class)
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Shop.class)
    static class Client {

        @Bean
        String first(@CleaveReference("night-orders") Orders orders) {
            return "has " + (orders instanceof Stub);
        }
    }

    @Test
    void stubsOfBeansOfOtherApplicationsAreInjected() {
        String broker = broker();
        run(Server.class, broker);
        ConfigurableApplicationContext client = run(Client.class, broker);
        Shop shop = client.getBean(Shop.class);

        assertThat(shop.given.item(1)).isEqualTo("item 1");
        assertThat(shop.field).isSameAs(shop.given).isSameAs(shop.shared).isInstanceOf(Stub.class);
        assertThat(shop.named.open()).isEqualTo(3);
        assertThat(client.getBean("first")).isEqualTo("has true");
        assertThat(client.getBean(CleaveStubs.class).get("inventory", Inventory.class))
                .isSameAs(shop.given);
    }

    @Test
    @Tag("one-boot")
    void aClientMayStartBeforeItsServer() throws Exception {
        String broker = broker();
        Shop shop = run(Client.class, broker).getBean(Shop.class);
        FutureTask<String> first = new FutureTask<>(() -> shop.given.item(7));
        Thread calling = new Thread(first, "calls before the service is bound");
        calling.start();
        patiently().until(() -> calling.getState() == Thread.State.TIMED_WAITING);

        run(Server.class, broker);

        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo("item 7");
    }

    @Test
    @Tag("one-boot")
    void withoutABrokerTheStartFailsInOneSentenceAfterItsPatience() {
        assertThatThrownBy(() -> run(Client.class, "cleave.broker=cleave://localhost:1", "cleave.patience=1ms"))
                .hasRootCauseInstanceOf(java.net.ConnectException.class)
                .hasStackTraceContaining("tcp://localhost:1");
    }

    /** A service whose calls wait until they are let. */
    @CleaveService
    static class Gated implements Inventory {

        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch gate = new CountDownLatch(1);
        final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public String item(int number) {
            entered.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            events.add("answered");
            return "late " + number;
        }

        @PreDestroy
        void destroy() {
            events.add("destroyed");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Gated.class)
    static class GatedServer {}

    @Test
    @Tag("one-boot")
    void callsThatHaveBegunEndBeforeTheContextIsDestroyed() throws Exception {
        String broker = broker();
        ConfigurableApplicationContext server = run(GatedServer.class, broker);
        Gated gated = server.getBean(Gated.class);
        Inventory inventory = node(broker).lookup("inventory", Inventory.class);
        FutureTask<String> call = new FutureTask<>(() -> inventory.item(1));
        new Thread(call, "calls").start();
        assertThat(gated.entered.await(60, TimeUnit.SECONDS)).isTrue();
        FutureTask<Void> closing = new FutureTask<>(server::close, null);
        new Thread(closing, "closes").start();
        Node asking = node(broker);
        patiently().until(() -> asking.list().stream()
                .allMatch(service -> service.replicas().isEmpty()));

        assertThat(closing.isDone()).isFalse();
        gated.gate.countDown();

        assertThat(call.get(60, TimeUnit.SECONDS)).isEqualTo("late 1");
        closing.get(60, TimeUnit.SECONDS);
        assertThat(gated.events).containsExactly("answered", "destroyed");
    }

    @Test
    @Tag("one-boot")
    void newCallsGoToAnotherApplicationWhileOneClosesWithACallInProgress() throws Exception {
        String broker = broker();
        List<ConfigurableApplicationContext> servers =
                List.of(run(GatedServer.class, broker), run(GatedServer.class, broker));
        Inventory inventory = node(broker).lookup("inventory", Inventory.class);
        FutureTask<String> call = new FutureTask<>(() -> inventory.item(1));
        new Thread(call, "calls").start();
        patiently().until(() -> servers.stream().anyMatch(StarterTest::isCalled));
        boolean first = isCalled(servers.get(0));
        Gated left = gate(servers.get(first ? 0 : 1));
        Gated other = gate(servers.get(first ? 1 : 0));
        FutureTask<Void> closing = new FutureTask<>(servers.get(first ? 0 : 1)::close, null);
        new Thread(closing, "closes").start();
        Node asking = node(broker);
        patiently().until(() -> asking.list().stream()
                .allMatch(service -> service.replicas().size() == 1));
        other.gate.countDown();

        for (int i = 2; i < 6; i++) {
            assertThat(inventory.item(i)).isEqualTo("late " + i);
        }
        assertThat(other.events).containsExactly("answered", "answered", "answered", "answered");
        assertThat(left.events).as("its bean lives").isEmpty();
        assertThat(closing.isDone()).isFalse();

        left.gate.countDown();
        assertThat(call.get(60, TimeUnit.SECONDS)).isEqualTo("late 1");
        closing.get(60, TimeUnit.SECONDS);
        assertThat(left.events).containsExactly("answered", "destroyed");
    }

    private static boolean isCalled(ConfigurableApplicationContext server) {
        return gate(server).entered.getCount() == 0;
    }

    private static Gated gate(ConfigurableApplicationContext server) {
        return server.getBean(Gated.class);
    }

    /** Counts the calls of all beans with the name of the service. */
    @Configuration(proxyBeanMethods = false)
    static class Advice {

        static final AtomicInteger ADVISED = new AtomicInteger();

        @Bean
        static BeanNameAutoProxyCreator proxies(@Value("${class-proxies}") boolean ofClasses) {
            BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
            creator.setProxyTargetClass(ofClasses);
            creator.setBeanNames("advised");
            creator.setInterceptorNames("counting");
            return creator;
        }

        @Bean
        static MethodInterceptor counting() {
            return invocation -> {
                ADVISED.incrementAndGet();
                return invocation.proceed();
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Advice.class)
    static class AdvisedServer {

        @Bean
        @CleaveService
        Stock advised() {
            return new Stock();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void callsReachABeanThroughItsProxy(boolean ofClasses) {
        String broker = broker();
        Advice.ADVISED.set(0);
        ConfigurableApplicationContext server = run(AdvisedServer.class, broker, "class-proxies=" + ofClasses);
        assertThat(AopUtils.isCglibProxy(server.getBean("advised"))).isEqualTo(ofClasses);

        assertThat(node(broker).lookup("inventory", Inventory.class).item(5)).isEqualTo("item 5");
        assertThat(Advice.ADVISED).hasValue(1);
    }

    @Serial
    static class SerialStock extends Stock {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Advice.class)
    static class SerialServer {

        @Bean
        @CleaveService
        Inventory advised() {
            return new SerialStock();
        }
    }

    @Test
    @Tag("one-boot")
    void aProxyThatHidesSerialIsRefused() {
        assertThatThrownBy(() -> run(SerialServer.class, broker(), "class-proxies=false"))
                .hasStackTraceContaining("bean advised: @Serial of")
                .hasStackTraceContaining("spring.aop.proxy-target-class=true");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Stock.class, Gated.class})
    static class TwoOfOneName {}

    @Test
    @Tag("one-boot")
    void twoBeansOfOneNameAreNamed() {
        assertThatThrownBy(() -> run(TwoOfOneName.class, broker()))
                .hasStackTraceContaining("are both the service inventory");
    }

    @CleaveService
    static class NotRemote {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(NotRemote.class)
    static class NotRemoteServer {}

    @Test
    @Tag("one-boot")
    void aBeanWithoutARemoteInterfaceIsNamed() {
        assertThatThrownBy(() -> run(NotRemoteServer.class, broker()))
                .hasStackTraceContaining("NotRemote has no remote interface")
                .hasStackTraceContaining("@dev.cleave.Remote");
    }

    @Test
    void propertiesMakeTheNode() {
        Node node = run(Plain.class, broker(), "cleave.name=harvey", "cleave.config=classpath:cleave-test.yaml")
                .getBean(Node.class);

        assertThat(node.name()).isEqualTo("harvey");
        assertThatThrownBy(() -> run(Plain.class, broker(), "cleave.config=classpath:none.yaml"))
                .hasStackTraceContaining("cleave.config")
                .hasStackTraceContaining("none.yaml");
        assertThat(run(Plain.class, "cleave.enabled=false").getBeansOfType(Node.class))
                .isEmpty();
    }

    @Test
    void theHealthIsThatOfTheConnection() throws Exception {
        Broker broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
        open.add(broker);
        Object indicator =
                run(Server.class, "cleave.broker=" + broker.endpoint()).getBean("cleaveHealthIndicator");

        assertThat(health(indicator))
                .startsWith("UP")
                .contains("broker=connected", "services=[inventory, night-orders]");
        broker.close();
        patiently()
                .untilAsserted(
                        () -> assertThat(health(indicator)).startsWith("DOWN").contains("not connected"));
    }

    /** The types of Spring Boot 3.5 and 4 have the same names in other packages. */
    private static String health(Object indicator) throws ReflectiveOperationException {
        for (Class<?> type : indicator.getClass().getInterfaces()) {
            if (type.getSimpleName().equals("HealthIndicator")) {
                return text(type, indicator);
            }
        }
        return text(indicator.getClass().getSuperclass().getInterfaces()[0], indicator);
    }

    private static String text(Class<?> type, Object indicator) throws ReflectiveOperationException {
        for (String name : List.of("getHealth", "health")) {
            try {
                Object health = name.equals("health")
                        ? type.getMethod(name).invoke(indicator)
                        : type.getMethod(name, boolean.class).invoke(indicator, true);
                return health.toString();
            } catch (NoSuchMethodException e) {
                continue;
            }
        }
        throw new AssertionError(type + " has no health");
    }

    @Test
    void theFiguresAreThoseOfTheNode() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();

        run(Plain.class, broker()).getBean("cleaveMeters", MeterBinder.class).bindTo(registry);

        assertThat(registry.get("cleave.calls.pending").gauge().value()).isZero();
        assertThat(registry.get("cleave.sites.sent").functionCounter().count()).isNotNegative();
    }

    /** Tells its caller what the logging context has. */
    @CleaveService
    static class Journal implements Inventory {

        @Override
        public String item(int number) {
            return "user " + MDC.get("user") + ", secret " + MDC.get("secret") + ", tenant "
                    + CallContext.current().attachments().get("tenant");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Journal.class)
    static class JournalServer {

        static final List<String> AROUND = new CopyOnWriteArrayList<>();

        @Bean
        @Order(2)
        ServerInterceptor inner() {
            return call -> {
                AROUND.add("inner");
                call.proceed();
            };
        }

        @Bean
        @Order(1)
        ServerInterceptor outer() {
            return call -> {
                AROUND.add("outer");
                call.proceed();
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Shop.class)
    @CleaveReferences(Inventory.class)
    static class TenantClient {

        @Bean
        ContextCarrier tenant() {
            return new ContextCarrier() {

                @Override
                public void capture(BiConsumer<String, String> attachments) {
                    attachments.accept("tenant", "acme");
                }

                @Override
                public Scope restore(Map<String, String> attachments) {
                    return Scope.NONE;
                }
            };
        }
    }

    @Test
    @Tag("one-boot")
    void theNamedKeysOfTheLoggingContextAndTheCarriersOfTheContextTravel() {
        String broker = broker();
        JournalServer.AROUND.clear();
        run(JournalServer.class, broker, "cleave.mdc=user,request");
        Shop shop = run(TenantClient.class, broker, "cleave.mdc=user").getBean(Shop.class);

        MDC.put("user", "bugs");
        MDC.put("secret", "carrot");
        try {
            assertThat(shop.given.item(1)).isEqualTo("user bugs, secret null, tenant acme");
        } finally {
            MDC.clear();
        }
        assertThat(shop.given.item(1)).isEqualTo("user null, secret null, tenant acme");
        assertThat(JournalServer.AROUND).containsExactly("outer", "inner", "outer", "inner");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Stock.class)
    static class Watched {

        static final List<NodeOptions> SEEN = new CopyOnWriteArrayList<>();

        @Bean
        CleaveNodeCustomizer watches() {
            return options -> {
                SEEN.add(options);
                return options;
            };
        }
    }

    @Test
    @Tag("one-boot")
    void onlyTheContextDrainsTheNode() {
        Watched.SEEN.clear();
        ConfigurableApplicationContext context = run(Watched.class, broker());

        assertThat(Watched.SEEN)
                .singleElement()
                .matches(options -> !options.admin().drainsAtExit(), "no hook of its own");
        Node node = context.getBean(Node.class);
        context.close();
        assertThat(node.isReady()).isFalse();
        assertThat(node.isConnected()).isFalse();
    }

    @Test
    void theVersionIsThatOfTheBuild() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("spring-boot.version"));
    }

    @Test
    @Tag("one-boot")
    void thePropertiesAreDescribedForEditors() throws IOException {
        try (InputStream in =
                CleaveProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .contains(
                            "\"cleave.broker\"", "\"cleave.patience\"", "how long the start of the application waits");
        }
    }
}
