/** Files of one package on the page's host. */
export interface PackagePart {
  package: string;
  /** The version for which the list of files was recorded. */
  version: string;
  /** Path of the package's folder on the host, with `/` at both ends. */
  at: string;
  /** Requested URLs: paths below the package's folder, some with a query. */
  files: string[];
}

export interface PackagePage {
  site: string;
  /** Description of the page, before the package's name. */
  what: string;
  host: string;
  document: string;
  /** Begins with the part that has the document. */
  parts: PackagePart[];
}

/**
 * Each page is self-contained (one host) and needs no server program. `files` are Chromium's requests,
 * each once; another version of the package needs a new list.
 */
export const PACKAGE_PAGES: PackagePage[] = [
  {
    site: 'material-design-icons',
    what: 'the preview page of all icons',
    host: 'material-design-icons.test',
    document: '/preview.html',
    parts: [
      {
        package: '@mdi/font',
        version: '7.4.47',
        at: '/',
        files: words(`
          css/materialdesignicons.min.css fonts/materialdesignicons-webfont.woff2?v=7.4.47
          preview.html
        `),
      },
    ],
  },
  {
    site: 'jquery-ui-demo',
    what: 'the example page of all widgets',
    host: 'jquery-ui-demo.test',
    document: '/',
    parts: [
      {
        package: 'jquery-ui-dist',
        version: '1.13.3',
        at: '/',
        files: words(`
          external/jquery/jquery.js images/ui-icons_444444_256x240.png
          images/ui-icons_777620_256x240.png images/ui-icons_777777_256x240.png
          images/ui-icons_cc0000_256x240.png images/ui-icons_ffffff_256x240.png index.html
          jquery-ui.css jquery-ui.js
        `),
      },
    ],
  },
  {
    site: 'shower-deck',
    what: 'the demo deck',
    host: 'shower-deck.test',
    document: '/',
    parts: [
      {
        package: '@shower/ribbon',
        version: '3.5.2',
        at: '/',
        files: words(`
          fonts/pt-mono-regular.woff2 fonts/pt-sans-bold-italic.woff2 fonts/pt-sans-bold.woff2
          fonts/pt-sans-italic.woff2 fonts/pt-sans-narrow-bold.woff2 fonts/pt-sans-regular.woff2
          index.html pictures/exact.svg pictures/picture-1.svg pictures/picture-2.svg
          pictures/picture-3.svg pictures/square.svg pictures/tall.svg pictures/wide.svg
          styles/blocks/badge.css styles/blocks/caption.css styles/blocks/progress.css
          styles/blocks/region.css styles/fonts.css styles/shower/shower-full.css
          styles/shower/shower-grid.css styles/shower/shower-list.css
          styles/shower/shower-pointless.css styles/shower/shower-print.css
          styles/shower/shower.css styles/slide/content/basic.css styles/slide/content/code.css
          styles/slide/content/footer.css styles/slide/content/inline.css
          styles/slide/content/lists.css styles/slide/content/quote.css
          styles/slide/content/table.css styles/slide/elements/columns.css
          styles/slide/elements/copyright.css styles/slide/elements/cover.css
          styles/slide/elements/next.css styles/slide/elements/place.css
          styles/slide/elements/shout.css styles/slide/elements/spotlight.css
          styles/slide/modifiers/black.css styles/slide/modifiers/clear.css
          styles/slide/modifiers/gray.css styles/slide/ribbon.svg styles/slide/slide-full.css
          styles/slide/slide-list.css styles/slide/slide.css styles/styles.css
        `),
      },
      {
        package: '@shower/core',
        version: '3.3.0',
        at: '/node_modules/@shower/core/',
        files: words(`dist/shower.js`),
      },
    ],
  },
  {
    site: 'dijit-layout',
    what: 'the layout page of panes, tabs and accordions',
    host: 'dijit-layout.test',
    document: '/dijit/tests/layout/test_Gui.html',
    parts: [
      {
        package: 'dijit',
        version: '1.17.3',
        at: '/dijit/',
        files: words(`
          BackgroundIframe.js Destroyable.js DropDownMenu.js Menu.js MenuItem.js TitlePane.js
          Viewport.js _AttachMixin.js _Contained.js _Container.js _CssStateMixin.js
          _FocusMixin.js _HasDropDown.js _KeyNavContainer.js _KeyNavMixin.js _MenuBase.js
          _OnDijitClickMixin.js _TemplatedMixin.js _Widget.js _WidgetBase.js
          _WidgetsInTemplateMixin.js _base/manager.js a11y.js a11yclick.js focus.js
          form/Button.js form/ToggleButton.js form/_ButtonMixin.js form/_FormWidget.js
          form/_FormWidgetMixin.js form/_ToggleButtonMixin.js form/templates/Button.html
          hccss.js icons/commonIcons.css icons/commonIcons_rtl.css icons/editorIcons.css
          icons/editorIcons_rtl.css layout/AccordionContainer.js layout/BorderContainer.js
          layout/ContentPane.js layout/LayoutContainer.js layout/ScrollingTabController.js
          layout/StackContainer.js layout/StackController.js layout/TabContainer.js
          layout/TabController.js layout/_ContentPaneResizeMixin.js layout/_LayoutWidget.js
          layout/_TabContainerBase.js layout/templates/AccordionButton.html
          layout/templates/ScrollingTabController.html layout/templates/TabContainer.html
          layout/templates/_ScrollingTabControllerButton.html layout/templates/_TabButton.html
          layout/utils.js main.js nls/common.js nls/loading.js place.js popup.js registry.js
          templates/Menu.html templates/MenuItem.html templates/TitlePane.html
          tests/boilerplate.js tests/boilerplateOnload.js tests/css/dijitTests.css
          tests/layout/test_Gui.html themes/claro/Calendar.css themes/claro/Calendar_rtl.css
          themes/claro/ColorPalette.css themes/claro/Common.css themes/claro/Dialog.css
          themes/claro/Dialog_rtl.css themes/claro/Editor.css themes/claro/Editor_rtl.css
          themes/claro/InlineEditBox.css themes/claro/Menu.css themes/claro/Menu_rtl.css
          themes/claro/ProgressBar.css themes/claro/ProgressBar_rtl.css
          themes/claro/TimePicker.css themes/claro/TitlePane.css themes/claro/TitlePane_rtl.css
          themes/claro/Toolbar.css themes/claro/Toolbar_rtl.css themes/claro/Tree.css
          themes/claro/Tree_rtl.css themes/claro/claro.css themes/claro/claro_rtl.css
          themes/claro/document.css themes/claro/form/Button.css
          themes/claro/form/Button_rtl.css themes/claro/form/Checkbox.css
          themes/claro/form/Common.css themes/claro/form/Common_rtl.css
          themes/claro/form/NumberSpinner.css themes/claro/form/RadioButton.css
          themes/claro/form/Select.css themes/claro/form/Slider.css
          themes/claro/form/Slider_rtl.css themes/claro/form/images/buttonArrows.png
          themes/claro/images/spriteArrows.png themes/claro/layout/AccordionContainer.css
          themes/claro/layout/BorderContainer.css themes/claro/layout/ContentPane.css
          themes/claro/layout/TabContainer.css themes/claro/layout/TabContainer_rtl.css
          themes/claro/layout/images/tabClose.png themes/dijit.css themes/dijit_rtl.css
        `),
      },
      {
        package: 'dojo',
        version: '1.17.3',
        at: '/dojo/',
        files: words(`
          Deferred.js Evented.js NodeList-dom.js Stateful.js _base/Color.js _base/Deferred.js
          _base/array.js _base/config.js _base/connect.js _base/declare.js _base/event.js
          _base/fx.js _base/json.js _base/kernel.js _base/lang.js _base/sniff.js _base/url.js
          _base/window.js _base/xhr.js aspect.js cache.js cookie.js date/stamp.js dojo.js
          dom-attr.js dom-class.js dom-construct.js dom-form.js dom-geometry.js dom-prop.js
          dom-style.js dom.js domReady.js errors/CancelError.js errors/RequestError.js
          errors/RequestTimeoutError.js errors/create.js fx.js global.js has.js hccss.js html.js
          i18n.js io-query.js json.js json5.js json5/parse.js json5/unicode.js json5/util.js
          keys.js mouse.js on.js parser.js promise/Promise.js promise/all.js
          promise/instrumentation.js promise/tracer.js query.js ready.js regexp.js request.js
          request/default.js request/handlers.js request/util.js request/watch.js request/xhr.js
          resources/blank.gif resources/dojo.css selector/_loader.js selector/lite.js sniff.js
          string.js text.js topic.js touch.js uacss.js when.js window.js
        `),
      },
    ],
  },
];

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
