/// What pages gain where scripts run: a filter, sorting, and folds that open for what is looked
/// for.
///
/// Nothing is made that a reader without scripts would miss: the box for the filter is hidden until
/// the script shows it, and rows stand in the useful order already.
enum PageScript {
  static let text = """
    'use strict';
    (function(){
    var doc=document,tools=doc.querySelector('.tools'),box=doc.getElementById('filter'),told=doc.getElementById('told');
    function all(s,e){return Array.prototype.slice.call((e||doc).querySelectorAll(s));}
    function reveal(e){for(var p=e;p;p=p.parentElement){if(p.tagName==='DETAILS')p.open=true;}}
    function named(){try{return decodeURIComponent(location.hash.slice(1));}catch(e){return location.hash.slice(1);}}
    function go(){var h=named();if(!h||h.indexOf('filter=')===0)return;var e=doc.getElementById(h);if(e){reveal(e);e.scrollIntoView();}}
    var rows=all('main tbody tr, header tbody tr').map(function(r){return{row:r,head:r.classList.contains('group'),text:r.textContent.toLowerCase()};});
    var heading='';rows.forEach(function(r){if(r.head)heading=r.text;else{var h=r.row.firstElementChild;if(h&&h.dataset.g!==undefined)r.text=heading+' '+r.text;}});
    var opened=[];
    function filter(){
    var words=box.value.toLowerCase().split(/\\s+/).filter(Boolean),shown=0,total=0;
    function has(r){return words.every(function(w){return r.text.indexOf(w)>=0;});}
    var group=null,found=false;
    function close(){if(group)group.row.hidden=!found;}
    var table=null;
    rows.forEach(function(r){
    var t=r.row.parentElement;if(t!==table){close();group=null;table=t;}
    if(r.head){close();group=r;found=!words.length;return;}
    total++;var ok=has(r);r.row.hidden=!ok;if(ok){shown++;found=true;}
    });close();
    opened.forEach(function(d){d.open=false;});opened=[];
    if(words.length)all('details.chapter,details.fold').forEach(function(d){
    if(!d.open&&all('tbody tr:not(.group):not([hidden])',d).length){d.open=true;opened.push(d);}});
    told.textContent=words.length?shown+' of '+total+' rows':'';
    var h=words.length?'#filter='+encodeURIComponent(box.value):location.hash.indexOf('#filter=')===0?'#':null;
    if(h!==null)try{history.replaceState(null,'',h);}catch(e){}
    }
    function key(row,n){var c=row.children[n];if(!c)return'';if(c.dataset.v!==undefined)return Number(c.dataset.v);
    var g=n===0&&c.dataset.g?c.dataset.g+' ':'';return(g+c.textContent).toLowerCase();}
    function order(a,b){var x=typeof a,y=typeof b;if(a==='')return b===''?0:1;if(b==='')return -1;if(x!==y)return x==='number'?-1:1;return a<b?-1:a>b?1:0;}
    all('main table, header table').forEach(function(table){
    var body=table.tBodies[0],original=Array.prototype.slice.call(body.rows);
    if(original.length<3)return;
    all('thead th:not(.axis)',table).forEach(function(th){
    if(!th.textContent.trim())return;
    var n=th.cellIndex,b=doc.createElement('button');b.type='button';while(th.firstChild)b.appendChild(th.firstChild);th.appendChild(b);
    b.addEventListener('click',function(){
    var was=th.getAttribute('aria-sort');
    var now=was===null?'ascending':was==='ascending'?'descending':null;
    all('thead th',table).forEach(function(o){o.removeAttribute('aria-sort');});
    table.classList.toggle('flat',now!==null);
    if(now===null){original.forEach(function(r){body.appendChild(r);});}
    else{th.setAttribute('aria-sort',now);
    var sign=now==='ascending'?1:-1,plain=original.filter(function(r){return!r.classList.contains('group');});
    plain.map(function(r,i){return{r:r,k:key(r,n),i:i};}).sort(function(a,b){
    if(a.k===''||b.k==='')return order(a.k,b.k)||a.i-b.i;
    return sign*order(a.k,b.k)||a.i-b.i;}).forEach(function(e){body.appendChild(e.r);});
    original.forEach(function(r){if(r.classList.contains('group'))r.hidden=true;});}
    if(now===null)filter();
    });});});
    if(tools){tools.hidden=false;
    box.addEventListener('input',filter);
    doc.getElementById('unfold').addEventListener('click',function(){
    var folds=all('details.chapter,details.fold'),open=folds.some(function(d){return!d.open;});
    folds.forEach(function(d){d.open=open;});});
    var h=named();if(h.indexOf('filter=')===0){box.value=h.slice(7);}
    filter();}
    addEventListener('hashchange',go);go();
    addEventListener('beforeprint',function(){all('details').forEach(function(d){if(!d.open){d.dataset.p='';d.open=true;}});});
    addEventListener('afterprint',function(){all('details[data-p]').forEach(function(d){delete d.dataset.p;d.open=false;});});
    })();
    """
}
